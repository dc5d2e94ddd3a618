import { type ReadModelReport, type ReadModelVersion, readModelEndpoints, WireError } from '@mneme/contracts';
import type { Service } from '@mneme/service-kit';
import type { Verification } from '../definition.ts';
import { conflict, explained } from '../errors.ts';

/** A read model or a bucket, as operators see it. */
export interface OperatedReadModel {
  readonly name: string;
  /** Whether it can answer queries, however far it is behind; undefined where queries do not depend on it. */
  readonly isAnswering?: boolean;
  status(): readonly ReadModelVersion[];
  /** True, or why not every question can be answered. */
  readiness(): true | string;
  rebuild(): Promise<{ readonly version: number; readonly rows: number } | { readonly records: number }>;
  /** A bucket has no other version, and no other store. */
  rollBack?(): Promise<number>;
  verify?(): Promise<Verification>;
  retry(version: number, aggregate: string, discarded?: number): Promise<void>;
}

/**
 * Lets operators see and repair the read models of a service.
 *
 * @param name of the service, such as `keys`
 * @param takesRequests whether this instance takes requests, or leaves them to others
 * @param unavailable names what this instance depends on and gets no answer from
 */
export function serveReadModels(
  service: Pick<Service, 'serve'>,
  name: string,
  readModels: readonly OperatedReadModel[],
  takesRequests: () => boolean,
  unavailable: () => Promise<string[]>,
): void {
  const endpoints = readModelEndpoints(name);
  const find = (wanted: string): OperatedReadModel => {
    const found = readModels.find((readModel) => readModel.name === wanted);
    if (found) return found;
    throw new WireError({ status: 404, code: 'NOT_FOUND', message: `${name} has no read model ${wanted}` });
  };
  service.serve(endpoints.status, async () => ({
    unavailable: await unavailable(),
    takesRequests: takesRequests(),
    readModels: readModels.map(reportOf),
  }));
  service.serve(endpoints.rebuild, async (request) => {
    const rebuilt = await explained(() => find(request.name).rebuild());
    return 'rows' in rebuilt ? rebuilt : { version: 1, rows: rebuilt.records };
  });
  service.serve(endpoints.rollBack, async (request) => {
    const readModel = find(request.name);
    if (!readModel.rollBack) throw conflict(`${request.name} is made anew in place and has no earlier version`);
    return { version: await explained(async () => readModel.rollBack?.() ?? 0) };
  });
  service.serve(endpoints.verify, async (request) => {
    const readModel = find(request.name);
    if (!readModel.verify) throw conflict(`${request.name} has one store only; rebuild it to compare it with the log`);
    const { checked, repaired } = await explained(async () => readModel.verify?.() ?? { checked: 0, repaired: {} });
    return { checked, repaired: { ...repaired } };
  });
  service.serve(endpoints.retry, async ({ name: wanted, version, aggregate, discarded }) => {
    await explained(() => find(wanted).retry(version, aggregate, discarded ?? undefined));
    return {};
  });
}

function reportOf(readModel: OperatedReadModel): ReadModelReport {
  const readiness = readModel.readiness();
  return { name: readModel.name, reason: readiness === true ? null : readiness, versions: [...readModel.status()] };
}
