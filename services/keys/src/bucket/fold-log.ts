import { type AccessEvent, accessEvents, accessStream } from '@mneme/contracts';
import { type Projection, runProjection } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import { foldEvent, type RecordRules } from './record-rules.ts';

export interface FoldedLog<R> {
  readonly records: ReadonlyMap<string, R>;
  /** The sequence up to which they are folded. */
  readonly position: number;
}

/** Works out the records from the whole log, in memory: some 500 bytes for each that there ever was. */
export async function foldLog<R extends { readonly sequence: number }>(
  connection: NatsConnection,
  rules: RecordRules<R>,
  options: { name: string; logger: Logger },
): Promise<FoldedLog<R>> {
  const records = new Map<string, R>();
  let position = 0;
  const projection: Projection<AccessEvent> = {
    ...{ name: `${options.name}-from-log`, version: 1, types: rules.types },
    readPosition: async () => position,
    apply: async (events, { to }) => {
      for (const event of events) foldEvent(rules, records, event);
      position = to;
    },
  };
  const { logger } = options;
  const run = await runProjection({
    ...{ connection, stream: accessStream.name, catalog: accessEvents, projection, logger },
  });
  try {
    await run.caughtUp();
  } finally {
    await run.stop();
  }
  return { records, position };
}
