import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type Encode, meanPooled, pad, readTokenizer } from './encoding.ts';

// The process that holds the model; see `createInference`. Its arguments are the folder of the model's files, and `nice` for a
// lower priority.

/** Texts to embed. */
export interface InferenceRequest {
  readonly texts: readonly string[];
}

/** One vector after the other, or why there are none. */
export type InferenceReply = { readonly vectors: Float32Array } | { readonly failed: string };

const dimensions = 384;
const [folder = '.', priority] = process.argv.slice(2);
// Before the runtime starts its threads, which inherit it.
if (priority === 'nice') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
/** Loaded with the first request. One thread: two took twice the processor time and were not faster. */
let model: Promise<{ session: InferenceSession; encode: Encode }> | undefined;

async function load() {
  const [session, encode] = await Promise.all([
    InferenceSession.create(join(folder, 'model_q4.onnx'), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    }),
    readTokenizer(folder),
  ]);
  return { session, encode };
}

async function embed(texts: readonly string[]): Promise<Float32Array> {
  model ??= load();
  const { session, encode } = await model;
  const padded = pad(texts.map(encode));
  const shape = [padded.rows, padded.columns];
  const { last_hidden_state: hidden } = await session.run({
    input_ids: new Tensor('int64', padded.ids, shape),
    attention_mask: new Tensor('int64', padded.mask, shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(padded.ids.length), shape),
  });
  return meanPooled(hidden?.data as Float32Array, padded, dimensions);
}

process.on('message', async ({ texts }: InferenceRequest) => {
  const reply: InferenceReply = await embed(texts).then(
    (vectors) => ({ vectors }),
    (error) => ({ failed: error instanceof Error ? error.message : String(error) }),
  );
  if (process.connected) process.send?.(reply);
});
// An orderly exit would wait for the inference that runs, or be aborted by it.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal sends these to the whole group; the parent decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.send?.('ready');
