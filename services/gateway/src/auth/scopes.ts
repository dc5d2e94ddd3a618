import { grants, type Route, scopeOf } from '@mneme/contracts';
import { InsufficientScopeError } from '../errors.ts';
import type { Caller } from './caller.ts';

/** @throws WireError 403 naming the scope that a key would need for the call */
export function assertScope(caller: Caller, route: Route): void {
  const scope = scopeOf(route);
  if (caller.kind !== 'key' || grants(caller.key.scopes, scope)) return;
  throw new InsufficientScopeError(scope);
}

/** Whether what a caller makes an agent do may be stored. */
export function mayWrite(caller: Caller): boolean {
  return caller.kind !== 'key' || grants(caller.key.scopes, 'memory:write');
}
