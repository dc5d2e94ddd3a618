import type { DomainEvent } from '@mneme/contracts';
import type { Projection } from '../projection/projection.ts';
import type { ProjectionOptions } from '../projection/projection-options.ts';
import { runProjection } from '../projection/run-projection.ts';
import { foldEvent, type RecordRules } from './record-rules.ts';

export interface FoldedLog<R> {
  readonly records: ReadonlyMap<string, R>;
  /** The sequence up to which they are folded. */
  readonly position: number;
}

/** Works out the records from the whole log, in memory: some 500 bytes for each that there ever was. */
export async function foldLog<E extends DomainEvent, R extends { readonly sequence: number }>(
  log: Omit<ProjectionOptions<E>, 'projection'>,
  rules: RecordRules<E, R>,
  name: string,
): Promise<FoldedLog<R>> {
  const records = new Map<string, R>();
  let position = 0;
  const projection: Projection<E> = {
    ...{ name: `${name}-from-log`, version: 1, types: rules.types },
    readPosition: async () => position,
    apply: async (events, { to }) => {
      for (const event of events) foldEvent(rules, records, event);
      position = to;
    },
  };
  const run = await runProjection({ ...log, projection });
  try {
    await run.caughtUp();
  } finally {
    await run.stop();
  }
  return { records, position };
}
