import type { Endpoint } from '@mneme/contracts';
import type { Client } from '@mneme/service-kit';

/** The HTTP request on whose behalf a service gets a request. */
export interface Requester {
  readonly requestId: string;
  readonly caller: { readonly actor: string | undefined };
  readonly signal?: AbortSignal;
}

/** Sends a request to the service that owns an endpoint. */
export type SendRequest = <Req, Rep>(
  endpoint: Endpoint<Req, Rep>,
  request: Req,
  requester: Requester,
  timeoutMs?: number,
) => Promise<Rep>;

/** How long a service may take by default, in milliseconds, including its wait for a position. */
const defaultTimeoutMs = 30_000;

export function createSendRequest(client: Client): SendRequest {
  return (endpoint, request, { requestId, caller, signal }, timeoutMs = defaultTimeoutMs) =>
    client.request(endpoint, request, {
      correlationId: requestId,
      timeoutMs,
      actor: caller.actor,
      signal,
    });
}
