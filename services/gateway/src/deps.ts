import type { OperatedSystem } from '@mneme/read-models';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { EventLogs } from './event-logs.ts';
import type { PositionReader } from './http/positions.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { Tasks } from './operators/tasks.ts';
import type { SendRequest } from './send-request.ts';
import type { IntakeDeps } from './webhooks/intake/bind-intake.ts';

/** What the endpoints of this service work with. */
export interface GatewayDeps {
  readonly connection: NatsConnection;
  readonly logs: EventLogs;
  readonly positions: PositionReader;
  readonly send: SendRequest;
  readonly idempotency: Idempotency;
  /** How long a caller waits for long operations, in milliseconds. */
  readonly timeoutMs: number;
  /** Where callers reach the gateways; unless given, each request tells. */
  readonly publicBaseUrl: string | undefined;
  readonly intake: IntakeDeps;
  readonly system: OperatedSystem;
  readonly tasks: Tasks;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
