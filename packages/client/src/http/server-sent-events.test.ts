import { expect, it } from 'vitest';
import { parseEvents } from './server-sent-events.ts';

async function partsOf(...chunks: readonly string[]) {
  const parts = [];
  async function* stream() {
    yield* chunks;
  }
  for await (const part of parseEvents(stream())) parts.push(part);
  return parts;
}

const text =
  'retry: 2000\n\n: waiting\n\nid: 7\ndata: {"a":\ndata: 1}\n\nid: 8\r\ndata:x\r\n\r\nevent: none\n\ndata: cut o';
const parts = [{ retryMs: 2_000 }, 'alive', { id: '7', data: '{"a":\n1}' }, { id: '8', data: 'x' }];

it('reads events, comments and the time to reconnect, and leaves out an event that is cut off', async () => {
  expect(await partsOf(text)).toEqual(parts);
});

it('reads the same wherever chunks end', async () => {
  for (let at = 1; at < text.length; at += 1) expect(await partsOf(text.slice(0, at), text.slice(at))).toEqual(parts);
  expect(await partsOf(...text)).toEqual(parts);
});
