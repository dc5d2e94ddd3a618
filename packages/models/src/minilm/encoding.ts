import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';

/** Word pieces with the two marks at start and end: what the model was trained with. The rest of a text is ignored. */
const maxPieces = 256;
/** A piece has six characters on average; more need not be tokenized. */
const maxCharacters = 4_000;

/** A text as word pieces, at most `maxPieces`. */
export type Encode = (text: string) => readonly number[];

/** Reads the tokenizer of the model's folder. */
export async function readTokenizer(folder: string): Promise<Encode> {
  const tokenizer = new Tokenizer(JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8')), {});
  return (text) => {
    const { ids } = tokenizer.encode(text.slice(0, maxCharacters).toWellFormed());
    return ids.length <= maxPieces ? ids : [...ids.slice(0, maxPieces - 1), ids.at(-1) ?? 0];
  };
}

/** Texts of one inference, padded to the longest: `rows × columns` numbers, row by row. */
export interface PaddedTexts {
  readonly rows: number;
  readonly columns: number;
  readonly ids: BigInt64Array;
  /** 1 for a piece, 0 for padding. */
  readonly mask: BigInt64Array;
}

export function pad(texts: readonly (readonly number[])[]): PaddedTexts {
  const columns = Math.max(1, ...texts.map(({ length }) => length));
  const ids = new BigInt64Array(texts.length * columns);
  const mask = new BigInt64Array(texts.length * columns);
  for (const [row, text] of texts.entries()) {
    for (const [column, id] of text.entries()) {
      ids[row * columns + column] = BigInt(id);
      mask[row * columns + column] = 1n;
    }
  }
  return { rows: texts.length, columns, ids, mask };
}

/**
 * The mean of the pieces' vectors without padding, brought to length 1 (Reimers and Gurevych, Sentence-BERT, 2019).
 * @param hidden `rows × columns × dimensions` numbers
 * @returns `rows` vectors, one after the other
 */
export function meanPooled(
  hidden: Float32Array,
  { rows, columns, mask }: PaddedTexts,
  dimensions: number,
): Float32Array {
  const pooled = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row += 1) {
    const vector = pooled.subarray(row * dimensions, (row + 1) * dimensions);
    for (let column = 0; column < columns; column += 1) {
      if (mask[row * columns + column] === 0n) continue;
      const start = (row * columns + column) * dimensions;
      for (let index = 0; index < dimensions; index += 1)
        vector[index] = (vector[index] as number) + (hidden[start + index] as number);
    }
    normalise(vector);
  }
  return pooled;
}

/** The sum has the same direction as the mean, so it need not be divided. */
function normalise(vector: Float32Array): void {
  const length = Math.hypot(...vector);
  if (length > 0) for (const [index, value] of vector.entries()) vector[index] = value / length;
}
