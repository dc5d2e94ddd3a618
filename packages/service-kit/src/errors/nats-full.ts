import { WireError } from '@mneme/contracts';
import { withCauses } from './unavailable.ts';

/** What callers are told when NATS may store no more; by this, they know it when a service tells them. */
export const natsFullMessage =
  'The event log has no room for more; the operator of Mneme has to let NATS store more, or make room';

/** The limit of the account, of the server, and of the server for what streams reserve; not that of one stream or bucket. */
const limitCodes: ReadonlySet<unknown> = new Set([10_002, 10_023, 10_047]);

/**
 * Whether an error means that NATS may store no more, or a service has answered so. On a full disk NATS does not answer.
 * Recognised by name, because this package does not depend on JetStream.
 */
export function isNatsFull(error: unknown): boolean {
  if (error instanceof WireError) return error.message === natsFullMessage;
  return withCauses(error).some((each) => {
    const { name, code } = each as Error & { code?: unknown };
    return name === 'JetStreamApiError' && limitCodes.has(code);
  });
}
