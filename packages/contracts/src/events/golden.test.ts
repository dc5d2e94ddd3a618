import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accessEvents } from '../access/events.ts';
import { embeddingEvents } from '../memory/embedding.ts';
import { memoryEvents } from '../memory/events.ts';
import { webhookEvents } from '../webhooks/events.ts';

const definitions = new Map([
  ...memoryEvents.definitions,
  ...embeddingEvents.definitions,
  ...accessEvents.definitions,
  ...webhookEvents.definitions,
]);

interface Golden {
  readonly type: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** What later versions make of it beside that. */
  readonly adds?: Readonly<Record<string, unknown>>;
}

const folder = new URL('../../golden/', import.meta.url);
const files = readdirSync(folder);
const golden = files.map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Golden);

/** What the event store does with the data of an old version. */
function readAsCurrent({ type, version, data }: Golden): unknown {
  const definition = definitions.get(type);
  if (!definition) throw new Error(`No definition of ${type}`);
  let current: unknown = definition.encoding === 'bytes' ? Buffer.from(String(data.base64), 'base64') : data;
  for (let from = version; from < definition.version; from += 1) current = definition.upcasters[from]?.(current);
  return definition.schema.parse(current);
}

describe('events that were written once can be read for ever', () => {
  it.each(golden.map((each, index) => [files[index], each] as const))('%s', (_, each) => {
    const read = readAsCurrent(each);
    if (read instanceof Uint8Array) expect(Buffer.from(read).toString('base64')).toBe(each.data.base64);
    else expect(read).toEqual({ ...each.data, ...each.adds });
  });
});

it.each([...definitions.values()])('there is an example of $type in its current version', (definition) => {
  expect(golden).toContainEqual(expect.objectContaining({ type: definition.type, version: definition.version }));
});
