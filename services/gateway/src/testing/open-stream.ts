import { get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';

/** An answer that goes on. */
export interface OpenStream {
  readonly response: IncomingMessage;
  /** What has come so far. */
  text(): string;
  /** Waits until the server ends the answer, or cuts it off. */
  ended(): Promise<'whole' | 'cut off'>;
  close(): void;
}

/** Asks for a stream and takes it as it comes. */
export async function openStream(url: string, headers: Readonly<Record<string, string>>): Promise<OpenStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers, agent: false }, resolve).once('error', reject);
  });
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
  });
  response.on('error', () => {});
  const closed = new Promise<void>((resolve) => void response.once('close', resolve));
  return {
    response,
    text: () => text,
    ended: async () => {
      await closed;
      return response.complete ? 'whole' : 'cut off';
    },
    close: () => response.destroy(),
  };
}

/** Waits until a count stays the same for a while. @returns it */
export async function untilStill(count: () => number): Promise<number> {
  let before = -1;
  const isStill = () => {
    const wasAt = before;
    before = count();
    return wasAt === before;
  };
  await expect.poll(isStill, { timeout: 10_000, interval: 500 }).toBe(true);
  return before;
}
