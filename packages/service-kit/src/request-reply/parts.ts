import { headers, type Msg, type MsgHdrs } from '@nats-io/nats-core';
import { headerNames } from './headers.ts';

/** The largest reply, in bytes. Service and caller each hold several copies of it in memory. */
export const maxReplyBytes: number = 64 * 1_024 * 1_024;
/** A larger reply is sent in parts of this size, in bytes, so that other messages can be sent in between. */
export const replyPartBytes: number = 128 * 1_024;
/** The most parts that one reply may have. */
const maxParts = maxReplyBytes / replyPartBytes;
/** Room that the headers of one message may take, in bytes. */
const headerHeadroom = 4_096;

export interface ReplyPart {
  readonly data: Uint8Array;
  readonly headers: MsgHdrs | undefined;
}

/** The place of a message in a reply of several parts; index 0 announces the parts and has no data. */
export interface PartNumber {
  readonly index: number;
  readonly count: number;
}

/** Splits a reply into parts of at most `partBytes`; a small reply is one message without a part header. */
export function splitReply(data: Uint8Array, partBytes: number): ReplyPart[] {
  if (data.length <= partBytes) return [{ data, headers: undefined }];
  const count = Math.ceil(data.length / partBytes);
  return Array.from({ length: count }, (_, index) => {
    const partHeaders = partHeader({ index: index + 1, count });
    return { data: data.subarray(index * partBytes, (index + 1) * partBytes), headers: partHeaders };
  });
}

export function partHeader({ index, count }: PartNumber): MsgHdrs {
  const written = headers();
  written.set(headerNames.part, `${index}/${count}`);
  return written;
}

/** @returns undefined for a reply that is a single message */
export function partNumber(message: Msg): PartNumber | undefined {
  const text = message.headers?.get(headerNames.part);
  if (!text) return undefined;
  const [index, count] = text.split('/').map(Number);
  if (index === undefined || count === undefined || !(index <= count && count <= maxParts)) {
    throw new Error(`A reply has the part ${text.slice(0, 30)}, and at most ${maxParts} are taken`);
  }
  return { index, count };
}

/** The largest data of one message, in bytes, for a server whose limit is `maxPayload`. */
export function largestMessage(maxPayload = Number.POSITIVE_INFINITY): number {
  return maxPayload - headerHeadroom;
}

/** Collects the parts of one reply; they arrive in order, because one connection publishes them. */
export class ReplyParts {
  readonly #parts: Uint8Array[] = [];

  /** Adds the next part; returns the whole reply once it is complete. */
  add({ index, count }: PartNumber, data: Uint8Array): Uint8Array | undefined {
    if (index !== this.#parts.length + 1) throw new Error(`A part of a reply is missing before ${index} of ${count}`);
    // The buffer belongs to the connection, which may reuse it.
    this.#parts.push(data.slice());
    return this.#parts.length === count ? Buffer.concat(this.#parts) : undefined;
  }
}
