import type { Endpoint } from '@mneme/contracts';
import type { DeadLetters } from '@mneme/event-store';

/** A running system, as operators work with it: by the command line and by the HTTP API. */
export interface OperatedSystem {
  /**
   * Asks the service that owns `endpoint`.
   * @throws WireError what it refused with, or that it is out of reach
   */
  call<Req, Rep>(endpoint: Endpoint<Req, Rep>, request: Req, timeoutMs: number): Promise<Rep>;
  readonly deadLetters: DeadLetters;
}
