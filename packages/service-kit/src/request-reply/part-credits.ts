/** A reply in parts that this process is receiving. */
export interface Transfer {
  /** The subject on which its sender takes credits. */
  readonly subject: string;
  /** Parts that have not been requested yet. */
  unasked: number;
  /** Parts that were requested and have not arrived. */
  inFlight: number;
}

/** Parts of all replies together that may be in flight to one connection: 2 MiB. */
const maxInFlight = 16;
/** Parts that one reply may request before the next one does, in a round-robin. */
const partsPerRound = 4;

/**
 * Requests the parts of large replies so that at most 2 MiB are in flight to this connection, however many replies there
 * are. NATS closes the connection of a slow consumer (64 MiB pending, or a write that blocks for 10 s), and all requests of
 * the connection would fail with it. Replies are served round-robin.
 */
export class PartCredits {
  readonly #ask: (subject: string, parts: number) => void;
  readonly #queue: Transfer[] = [];
  #free = maxInFlight;

  /** @param ask tells the sender that takes credits on `subject` how many more parts it may send */
  constructor(ask: (subject: string, parts: number) => void) {
    this.#ask = ask;
  }

  begin(subject: string, parts: number): Transfer {
    const transfer: Transfer = { subject, unasked: parts, inFlight: 0 };
    this.#queue.push(transfer);
    this.#grant();
    return transfer;
  }

  /** A part has arrived. */
  received(transfer: Transfer): void {
    if (transfer.inFlight === 0) return;
    transfer.inFlight -= 1;
    this.#free += 1;
    this.#grant();
  }

  /** The reply is complete, or its requester has stopped waiting. */
  end(transfer: Transfer): void {
    const index = this.#queue.indexOf(transfer);
    if (index !== -1) this.#queue.splice(index, 1);
    this.#free += transfer.inFlight;
    transfer.inFlight = 0;
    transfer.unasked = 0;
    this.#grant();
  }

  #grant(): void {
    while (this.#free > 0) {
      const transfer = this.#queue.shift();
      if (!transfer) return;
      const parts = Math.min(partsPerRound, transfer.unasked, this.#free);
      transfer.unasked -= parts;
      transfer.inFlight += parts;
      this.#free -= parts;
      if (transfer.unasked > 0) this.#queue.push(transfer);
      this.#ask(transfer.subject, parts);
    }
  }
}
