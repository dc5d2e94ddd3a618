import type { Endpoint } from '@mneme/contracts';
import type { Client } from '@mneme/service-kit';

/** On behalf of which request a service is called. */
export interface CallScope {
  readonly requestId: string;
  readonly caller: { readonly actor: string | undefined };
  readonly signal?: AbortSignal;
}

/** Calls the service that owns an endpoint. */
export type ServiceCall = <Req, Rep>(
  endpoint: Endpoint<Req, Rep>,
  request: Req,
  scope: CallScope,
  timeoutMs?: number,
) => Promise<Rep>;

/** How long a question or command may take, in milliseconds; it includes the wait for a position. */
const callTimeoutMs = 30_000;

export function createServiceCall(client: Client): ServiceCall {
  return (endpoint, request, { requestId, caller, signal }, timeoutMs = callTimeoutMs) =>
    client.request(endpoint, request, {
      correlationId: requestId,
      deadlineMs: timeoutMs,
      actor: caller.actor,
      signal,
    });
}
