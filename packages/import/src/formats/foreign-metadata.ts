/** Metadata of another system as this one takes it: objects and mixed lists become JSON, and what is null is left out. */
export function readableMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(metadata).flatMap(([key, value]): [string, unknown][] => {
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return [];
    return [[key, isTaken(value) ? value : JSON.stringify(value)]];
  });
  return Object.fromEntries(entries);
}

function isTaken(value: unknown): boolean {
  return typeof value !== 'object' || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));
}
