import type { JsMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/nats-core';

/** A message of a JetStream stream, whichever way it was read. */
export interface StoredMessage {
  readonly stream: string;
  readonly sequence: number;
  readonly subject: string;
  readonly headers: MsgHdrs | undefined;
  readonly data: Uint8Array;
}

/** The view of a delivered message that the rest of the package works with. */
export function storedFrom(message: JsMsg): StoredMessage {
  const { info, subject, headers, data } = message;
  return { stream: info.stream, sequence: info.streamSequence, subject, headers, data };
}
