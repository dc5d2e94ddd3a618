/** One event of a stream (HTML standard, 9.2). */
export interface ServerSentEvent {
  /** The id to continue after; undefined if the event has none. */
  readonly id: string | undefined;
  readonly data: string;
}

/** What a stream says: an event, how long to wait before a reconnection (milliseconds), or that it is alive. */
export type StreamPart = ServerSentEvent | { readonly retryMs: number } | 'alive';

/** Reads the events of a stream from its text, which comes in chunks that end anywhere. */
export async function* parseEvents(chunks: AsyncIterable<string>): AsyncGenerator<StreamPart, void, undefined> {
  let id: string | undefined;
  let data: string[] = [];
  for await (const line of lines(chunks)) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') {
      if (data.length > 0) yield { id, data: data.join('\n') };
      data = [];
    } else if (field === '') yield 'alive';
    else if (field === 'data') data.push(value);
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) yield { retryMs: Number(value) };
  }
}

/** Complete lines, which end with `\r\n`, `\n` or `\r`. What follows the last end of a line is an event cut off. */
async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let rest = '';
  for await (const chunk of chunks) {
    // A `\r` at the end may be the first half of an end of a line.
    const parts = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? '';
    yield* parts;
  }
}
