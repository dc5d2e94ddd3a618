import { type Demand, WireError } from '@mneme/contracts';

/**
 * Looks for values that a call cannot do without, before anything else about its parts.
 * @throws WireError 400 with the message of the first one that is absent, null or blank
 */
export function assertDemands(demands: readonly Demand[], parts: { query: unknown; body: unknown }): void {
  for (const { in: location, name, message } of demands) {
    const { [location]: part = {} } = parts;
    // What is no object at all has another fault.
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
    if (isBlank(Object.hasOwn(part, name) ? (part as Record<string, unknown>)[name] : undefined)) {
      throw new WireError({ status: 400, code: 'BAD_REQUEST', message });
    }
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}
