import { randomUUID } from 'node:crypto';
import { type Endpoint, keys, memoryIngest, memoryQuery, webhook } from '@mneme/contracts';
import {
  checkLog,
  type DeadLetters,
  deadLetters,
  type LogCheck,
  openLog,
  type Position,
  removeForeign,
  type SaveMessage,
  streamExists,
} from '@mneme/event-store';
import type { Client } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';

/** A running system, as operators work with it: by the command line and by the HTTP API. */
export interface OperatedSystem {
  /**
   * Asks the service that owns `endpoint`.
   * @throws WireError what it refused with, or that it is out of reach
   */
  call<Req, Rep>(endpoint: Endpoint<Req, Rep>, request: Req, timeoutMs: number): Promise<Rep>;
  readonly deadLetters: DeadLetters;
  /** Reads all events of a stream of the log; undefined when there is no such stream. @throws EventLogUnavailableError */
  checkLog(stream: string): Promise<LogCheck | undefined>;
  /** See `removeForeign` of the event store. */
  removeForeign(position: Position, save: SaveMessage): Promise<void>;
}

/** The services that the gateway sends requests to, by name. */
export const servicesBehindGateway: readonly string[] = [
  ...new Set([memoryIngest, memoryQuery, keys, webhook].flatMap(Object.values).map(({ service }) => service)),
];

/** The system that `connection` leads to. @param client of the same connection; it stays the caller's to close */
export function operatedSystem(connection: NatsConnection, client: Pick<Client, 'request'>): OperatedSystem {
  return {
    call: (endpoint, request, timeoutMs) =>
      client.request(endpoint, request, { correlationId: randomUUID(), timeoutMs, isBegunAtOnce: true }),
    deadLetters: deadLetters(connection),
    checkLog: async (stream) =>
      (await streamExists(connection, stream)) ? checkLog(openLog(connection, stream)) : undefined,
    removeForeign: (position, save) => removeForeign(connection, position, save),
  };
}
