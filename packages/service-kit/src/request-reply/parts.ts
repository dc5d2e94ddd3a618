import { headers, type Msg, type MsgHdrs } from '@nats-io/nats-core';
import { headerNames } from './headers.ts';

/** Room that the headers of one message may take, in bytes. */
const headerHeadroom = 4_096;

/** The most parts that one reply may have; 512 parts of 1 MiB are far beyond any reply of ours. */
const maxParts = 512;

export interface ReplyPart {
  readonly data: Uint8Array;
  readonly headers: MsgHdrs | undefined;
}

/** Cuts a reply into messages that each fit into `maxPayload` bytes; a small one is a single message without a part header. */
export function splitReply(data: Uint8Array, maxPayload: number): ReplyPart[] {
  const partBytes = maxPayload - headerHeadroom;
  if (data.length <= partBytes) return [{ data, headers: undefined }];
  const count = Math.ceil(data.length / partBytes);
  if (count > maxParts) throw new Error(`A reply of ${data.length} bytes needs ${count} parts, more than ${maxParts}`);
  return Array.from({ length: count }, (_, index) => {
    const partHeaders = headers();
    partHeaders.set(headerNames.part, `${index + 1}/${count}`);
    return { data: data.subarray(index * partBytes, (index + 1) * partBytes), headers: partHeaders };
  });
}

/** Collects the parts of one reply; they come in order, because one connection publishes them. */
export class ReplyParts {
  readonly #parts: Uint8Array[] = [];

  /** Takes the next message; returns the whole reply once it is complete. */
  add(message: Msg): Uint8Array | undefined {
    const part = message.headers?.get(headerNames.part);
    if (!part) return message.data;
    const count = Number(part.slice(part.indexOf('/') + 1));
    if (this.#parts.length >= maxParts) throw new Error('A reply has too many parts');
    // The buffer belongs to the connection, which may reuse it.
    this.#parts.push(message.data.slice());
    return this.#parts.length === count ? Buffer.concat(this.#parts) : undefined;
  }
}
