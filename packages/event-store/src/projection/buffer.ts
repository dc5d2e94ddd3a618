import type { StoredMessage } from '../log/stored-message.ts';

/** Messages between the one who reads the log and the one who applies them; bounded by number and by bytes. */
export interface Buffer {
  /** Adds a message; resolves when there is room for the next one. */
  push(message: StoredMessage): Promise<void>;
  /** Waits for a message and takes all that are there, up to the limits; empty after `close`. */
  take(limits: BufferLimits): Promise<StoredMessage[]>;
  /** Drops what is not beyond the sequence. */
  dropThrough(sequence: number): void;
  clear(): void;
  close(): void;
}

export interface BufferLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** @param capacity above which the reader is made to wait. */
export function createBuffer(capacity: BufferLimits): Buffer {
  let messages: StoredMessage[] = [];
  let bytes = 0;
  let isClosed = false;
  let changed = Promise.withResolvers<void>();
  const isFull = () => messages.length >= capacity.messages || bytes >= capacity.bytes;
  const signal = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const keep = (kept: StoredMessage[]) => {
    messages = kept;
    bytes = kept.reduce((sum, message) => sum + message.data.byteLength, 0);
    signal();
  };
  return {
    push: async (message) => {
      messages.push(message);
      bytes += message.data.byteLength;
      signal();
      while (isFull() && !isClosed) await changed.promise;
    },
    take: async (limits) => {
      while (messages.length === 0 && !isClosed) await changed.promise;
      const taken = isClosed ? [] : messages.slice(0, countWithin(messages, limits));
      keep(messages.slice(taken.length));
      return taken;
    },
    dropThrough: (sequence) => keep(messages.filter((message) => message.sequence > sequence)),
    clear: () => keep([]),
    close: () => {
      isClosed = true;
      signal();
    },
  };
}

/** How many from the front stay within the limits; at least one if there is one. */
function countWithin(messages: readonly StoredMessage[], limits: BufferLimits): number {
  let count = 0;
  let bytes = 0;
  for (const message of messages) {
    bytes += message.data.byteLength;
    if (count > 0 && (count >= limits.messages || bytes > limits.bytes)) break;
    count += 1;
  }
  return count;
}
