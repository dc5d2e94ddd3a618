/** A number whose JSON text no JavaScript number has: 9007199254740993 and 1e400 are other numbers there, 1.10 becomes 1.1. */
export class ExactNumber {
  /** The number as it is in the JSON text. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** The nearest JavaScript number; infinite if it is too large for one. */
  valueOf(): number {
    return Number(this.source);
  }

  toString(): string {
    return this.source;
  }

  /** Has `JSON.stringify` write the source. */
  toJSON(): unknown {
    return (JSON as WithSource).rawJSON(this.source);
  }
}

/** TypeScript does not know `JSON.rawJSON` and the third parameter of revivers; platforms have both or none of them. */
type WithSource = typeof JSON & { rawJSON(text: string): unknown };

/**
 * Reads JSON; numbers that would change become an `ExactNumber`, where the platform says how they are written.
 *
 * @throws SyntaxError when it is not JSON
 */
export function parseExactly(json: string): unknown {
  return JSON.parse(json, (_name, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source;
    const isChanged = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isChanged ? new ExactNumber(source) : value;
  });
}
