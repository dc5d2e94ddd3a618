import { setImmediate } from 'node:timers/promises';
import type { StoredMessage } from '@mneme/event-store';
import { within } from '@mneme/workers/waits';

/** Messages between the one who reads the log and the one who applies them; bounded by number and by bytes. */
export interface Buffer {
  /** Adds a message; resolves when there is room for the next one. */
  push(message: StoredMessage): Promise<void>;
  /** Takes all messages that are there, up to the limits; none after `idleMs` milliseconds without any, or when it is closed. */
  take(limits: BufferLimits, idleMs: number): Promise<StoredMessage[]>;
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
  return {
    push: async (message) => {
      messages.push(message);
      bytes += sizeOf(message);
      signal();
      while (isFull() && !isClosed) await changed.promise;
    },
    take: async (limits, idleMs) => {
      if (messages.length === 0 && !isClosed) await within(changed.promise, idleMs);
      // Lets the reader hand over all that has arrived: one larger batch instead of many of one message.
      await setImmediate();
      if (isClosed) return [];
      const taken = messages.splice(0, countWithin(messages, limits, sizeOf));
      bytes -= taken.reduce((sum, message) => sum + sizeOf(message), 0);
      signal();
      return taken;
    },
    clear: () => {
      messages = [];
      bytes = 0;
      signal();
    },
    close: () => {
      isClosed = true;
      signal();
    },
  };
}

function sizeOf({ data }: StoredMessage): number {
  return data.byteLength;
}

/** How many from the front stay within the limits; at least one if there is one. @param sizeOf an item, in bytes */
export function countWithin<T>(items: readonly T[], limits: BufferLimits, sizeOf: (item: T) => number): number {
  let count = 0;
  let bytes = 0;
  for (const item of items) {
    bytes += sizeOf(item);
    if (count > 0 && (count >= limits.messages || bytes > limits.bytes)) break;
    count += 1;
  }
  return count;
}
