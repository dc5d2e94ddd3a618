import type { LexicalEncoder } from '@mneme/models';
import { type LexicalUnit, lexicalText } from '../units/lexical-text.ts';

/** The weight of each term in the text of a unit, as the vector store has it. */
export type UnitTerms = ReadonlyMap<number, number>;

/** A unit whose terms are wanted. */
export type TermedUnit = LexicalUnit & { readonly _id: string };

/** So much of texts and terms is remembered, in bytes as estimated: those of 15 thousand sentences, or of one novel. */
export const maxRememberedBytes = 16_000_000;
/** What a term takes in a map of numbers, and a unit beside its terms. */
const bytesPerTerm = 48;
const bytesPerUnit = 400;

interface Remembered extends LexicalUnit {
  readonly terms: UnitTerms;
  readonly bytes: number;
}

/**
 * The terms of units, which searches ask for again and again. They follow from the unit's words alone, which are compared,
 * so that what is remembered is never out of date. Those not asked for the longest are forgotten.
 */
export class TermMemory {
  readonly #lexical: LexicalEncoder;
  readonly #maxBytes: number;
  readonly #units = new Map<string, Remembered>();
  #bytes = 0;

  constructor(lexical: LexicalEncoder, maxBytes = maxRememberedBytes) {
    this.#lexical = lexical;
    this.#maxBytes = maxBytes;
  }

  /** As estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  termsOf(unit: TermedUnit): UnitTerms {
    const known = this.#units.get(unit._id);
    if (known) this.#forget(unit._id, known);
    const remembered = known && saysTheSame(known, unit) ? known : remember(unit, this.#lexical);
    this.#keep(unit._id, remembered);
    return remembered.terms;
  }

  /** A map yields its keys in the order in which they were put in, so that the first is the one not asked for the longest. */
  #keep(id: string, unit: Remembered): void {
    this.#units.set(id, unit);
    this.#bytes += unit.bytes;
    while (this.#bytes > this.#maxBytes) {
      const [oldest] = this.#units;
      if (!oldest) return;
      this.#forget(...oldest);
    }
  }

  #forget(id: string, { bytes }: Remembered): void {
    this.#units.delete(id);
    this.#bytes -= bytes;
  }
}

function saysTheSame(left: LexicalUnit, right: LexicalUnit): boolean {
  const isOfSameTime = left.eventDate.getTime() === right.eventDate.getTime();
  return isOfSameTime && left.text === right.text && left.source === right.source;
}

function remember({ text, source, eventDate }: LexicalUnit, lexical: LexicalEncoder): Remembered {
  const { indices, values } = lexical.document(lexicalText({ text, source, eventDate }));
  const terms = new Map(indices.map((id, index) => [id, values[index] ?? 0]));
  const characters = text.length + (source?.length ?? 0);
  return { text, source, eventDate, terms, bytes: 2 * characters + bytesPerTerm * terms.size + bytesPerUnit };
}
