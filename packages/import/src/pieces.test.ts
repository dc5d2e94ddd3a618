import { expect, test } from 'vitest';
import { FileFault } from './found.ts';
import { arrayElements, lines } from './pieces.ts';

/** A content that arrives in chunks of that many bytes. */
async function* inChunks(content: string, bytes: number): AsyncIterable<Buffer> {
  const buffer = Buffer.from(content);
  for (let start = 0; start < buffer.length; start += bytes) yield buffer.subarray(start, start + bytes);
}

async function texts(pieces: AsyncIterable<Uint8Array>, read: string[] = []): Promise<string[]> {
  for await (const piece of pieces) read.push(new TextDecoder().decode(piece));
  return read;
}

const array = ' [{"a": [1, 2]}, "x\\"],", {"é": {}} , 5] ';

test.each([1, 2, 3, 7, 1_000])('elements are the same in chunks of %i bytes', async (bytes) => {
  const elements = await texts(arrayElements(inChunks(array, bytes), 100));
  expect(elements.map((element) => JSON.parse(element))).toEqual(JSON.parse(array));
});

test('an empty list has no elements', async () => {
  expect(await texts(arrayElements(inChunks('[ \n]', 1), 10))).toEqual([]);
});

test.each([1, 2, 1_000])('what follows a list is not passed over in chunks of %i bytes', async (bytes) => {
  const read: string[] = [];
  const reading = texts(arrayElements(inChunks('[1, 2]\n [3]', bytes), 100), read);
  await expect(reading).rejects.toThrow(new FileFault('there is more after the end of its list, after record 2'));
  expect(read).toEqual(['1', ' 2']);
  expect(await texts(arrayElements(inChunks('[1, 2]\r\n \n', bytes), 100))).toEqual(['1', ' 2']);
});

test.each([1, 3, 1_000])('lines are the same in chunks of %i bytes', async (bytes) => {
  expect(await texts(lines(inChunks('one\n\ntwo é\nthree', bytes), 100))).toEqual(['one', '', 'two é', 'three']);
  expect(await texts(lines(inChunks('one\n', bytes), 100))).toEqual(['one']);
});

test('what is too large to be held in memory is refused', async () => {
  const large = `["${'x'.repeat(50)}"]`;
  await expect(texts(arrayElements(inChunks(large, 10), 30))).rejects.toThrow(FileFault);
  await expect(texts(lines(inChunks(large, 10), 30))).rejects.toThrow(FileFault);
});
