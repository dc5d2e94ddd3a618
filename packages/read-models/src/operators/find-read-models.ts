import {
  type ReadModelReport,
  type ReadModelService,
  readModelEndpoints,
  readModelServices,
  WireError,
} from '@mneme/contracts';
import { asError } from '@mneme/event-store';
import type { OperatedSystem } from './operated-system.ts';

/** A read model or KV bucket, and the service that has it. */
export interface FoundReadModel extends ReadModelReport {
  readonly service: ReadModelService;
}

export interface AskedService {
  readonly service: ReadModelService;
  /** An error: it does not answer. */
  readonly readModels: readonly FoundReadModel[] | Error;
}

const statusTimeoutMs = 5_000;

/** Asks all services for their read models. */
export function askServices(system: OperatedSystem): Promise<AskedService[]> {
  return Promise.all(
    readModelServices.map(async (service) => {
      try {
        const { readModels } = await system.call(readModelEndpoints(service).status, {}, statusTimeoutMs);
        return { service, readModels: readModels.map((readModel) => ({ ...readModel, service })) };
      } catch (error) {
        return { service, readModels: asError(error) };
      }
    }),
  );
}

/** The read models of the services that answered. */
export function foundReadModels(asked: readonly AskedService[]): FoundReadModel[] {
  return asked.flatMap(({ readModels }) => (readModels instanceof Error ? [] : readModels));
}

/** @throws WireError 404 when no service that answers has a read model of this name */
export async function findReadModel(system: OperatedSystem, name: string): Promise<FoundReadModel> {
  const asked = await askServices(system);
  const all = foundReadModels(asked);
  const found = all.find((readModel) => readModel.name === name);
  if (found) return found;
  const silent = asked.filter(({ readModels }) => readModels instanceof Error).map(({ service }) => service);
  const known = `There are: ${all.map((each) => each.name).join(', ') || 'none'}.`;
  const message = `No service has a read model ${name}. ${known}${silent.length > 0 ? ` Without an answer: ${silent.join(', ')}.` : ''}`;
  throw new WireError({ status: 404, code: 'NOT_FOUND', message });
}
