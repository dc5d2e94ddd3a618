/** A reply in parts that is on its way to this process. */
export interface Transfer {
  /** Where its sender takes credits. */
  readonly subject: string;
  /** Parts that nobody has asked for yet. */
  unasked: number;
  /** Parts that were asked for and are on their way. */
  inFlight: number;
}

/** Parts of all replies together that may be on their way to one connection: 2 MiB. */
const maxInFlight = 16;
/** Parts that one reply gets before it is the turn of the next. */
const perTurn = 4;

/**
 * Asks for the parts of large replies so that never more than 2 MiB are on their way to this connection, however many
 * replies there are. NATS ends the connection of a receiver for which more waits than it can take (64 MiB, or whatever
 * it does not read within 10 s), and all requests of the connection fail with it. Replies take turns.
 */
export class PartCredits {
  readonly #ask: (subject: string, parts: number) => void;
  readonly #queue: Transfer[] = [];
  #free = maxInFlight;

  /** @param ask tells the sender that takes credits at `subject` how many more parts it may send */
  constructor(ask: (subject: string, parts: number) => void) {
    this.#ask = ask;
  }

  begin(subject: string, parts: number): Transfer {
    const transfer: Transfer = { subject, unasked: parts, inFlight: 0 };
    this.#queue.push(transfer);
    this.#grant();
    return transfer;
  }

  /** A part has come. */
  received(transfer: Transfer): void {
    if (transfer.inFlight === 0) return;
    transfer.inFlight -= 1;
    this.#free += 1;
    this.#grant();
  }

  /** It is complete, or nobody waits for it any more. */
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
      const parts = Math.min(perTurn, transfer.unasked, this.#free);
      transfer.unasked -= parts;
      transfer.inFlight += parts;
      this.#free -= parts;
      if (transfer.unasked > 0) this.#queue.push(transfer);
      this.#ask(transfer.subject, parts);
    }
  }
}
