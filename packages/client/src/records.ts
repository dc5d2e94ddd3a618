import type { Agent, Item } from './agent.ts';
import { MnemeError } from './http/error.ts';
import type { ReadOptions } from './http/request.ts';
import { wellFormed } from './prompt-block.ts';
import type { MnemeDocument } from './schemas.ts';

/**
 * Values in documents, as a JSON text sequence (RFC 7464) has them: a record separator before each, and a newline after it.
 * JSON escapes both, and texts beside the values are written without separators, so no text is taken for a value.
 */
const separator = '\u001e';

/** An item that keeps a value as JSON has it; it becomes no memories. */
export function recordOf(value: unknown): Item {
  return { content: separator + JSON.stringify(value), extract: false };
}

/** Text beside records, which cannot be taken for one, and can be encoded as UTF-8. */
export function plainText(text: string): string {
  return wellFormed(text.replaceAll(separator, ' ')).trim();
}

/** The values in the text of a document, in their order. */
export function recordsIn(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith(separator))
    .map((line) => JSON.parse(line.slice(separator.length)));
}

/** A document, unless there is none with this id. */
export async function findDocument(
  { documents }: Agent,
  id: string,
  options?: ReadOptions,
): Promise<MnemeDocument | undefined> {
  return unlessMissing(documents.get(id, options));
}

/** Deletes a document if there is one with this id. */
export async function deleteDocument({ documents }: Agent, id: string): Promise<void> {
  await unlessMissing(documents.delete(id));
}

/** A reply; undefined if the server says that there is no such thing. */
export async function unlessMissing<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof MnemeError && error.status === 404) return undefined;
    throw error;
  }
}
