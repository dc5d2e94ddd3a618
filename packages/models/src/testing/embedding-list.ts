import { hash32 } from '../text/hash.ts';
import { words } from '../text/words.ts';
import { tokensOf } from './chat-completion.ts';
import { inputsOf, type ModelRequest } from './model-request.ts';

const slotsPerWord = 4;

/** A body of an embeddings answer: texts that share words get vectors that point alike, and the same text always gets the same one. */
export function embeddingList({ body }: ModelRequest, dimensions: number): object {
  const inputs = inputsOf(body);
  const isBase64 = body.encoding_format === 'base64';
  const data = inputs.map((text, index) => {
    const vector = vectorOf(text, dimensions);
    return {
      object: 'embedding',
      index,
      embedding: isBase64 ? Buffer.from(vector.buffer).toString('base64') : [...vector],
    };
  });
  const tokens = inputs.reduce((sum, text) => sum + tokensOf(text), 0);
  return {
    object: 'list',
    data,
    model: String(body.model ?? 'stand-in'),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function vectorOf(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of [...words(text), '']) {
    for (let slot = 0; slot < slotsPerWord; slot += 1) {
      const hash = hash32(word, slot);
      const place = hash % dimensions;
      vector[place] = (vector[place] ?? 0) + (hash & 0x80000000 ? -1 : 1);
    }
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.fill(1 / Math.sqrt(dimensions)) : vector.map((value) => value / length);
}
