import { resolve } from 'node:path';
import { memoryStream } from '@mneme/contracts';
import { ensureStream } from '@mneme/event-store';
import { createProgressPrinter, startStack } from '@mneme/local-stack';
import { createModels, modelsConfigShape } from '@mneme/models';
import { closeNats, connectNats, createLogger, loadConfig, logLevel, wholeNumber } from '@mneme/service-kit';
import { z } from 'zod';
import { createProgressBar } from './progress-bar.ts';
import { reembed } from './reembed.ts';

const reembedConfigSchema = z.object({
  ...modelsConfigShape,
  DATA_DIR: z.string().default('.data'),
  STREAM_REPLICAS: wholeNumber({ min: 1, max: 5, default: 1 }),
  LOG_LEVEL: logLevel.default('warn'),
});

/** Brings the memory over to the embedding model of the environment; the services must not run meanwhile. */
export async function reembedCommand(): Promise<void> {
  try {
    await reembedLocal(process.env);
  } catch (error) {
    process.stderr.write(`\nThe memory is as it was. ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
  process.exit(0);
}

async function reembedLocal(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadConfig(reembedConfigSchema, env);
  const logger = createLogger({ service: 'reembed', level: config.LOG_LEVEL });
  const { embeddings } = await createModels(config, { logger });
  const dataDir = resolve(env.INIT_CWD ?? '.', config.DATA_DIR);
  const onProgress = createProgressPrinter(process.stdout, ['downloading']);
  await using closing = new AsyncDisposableStack();
  const stack = await startStack({ dataDir, servers: ['nats'], onProgress });
  closing.defer(() => stack.stop());
  const connection = await connectNats({ url: stack.natsUrl, name: 'reembed', logger });
  closing.defer(() => closeNats(connection));
  await ensureStream(connection, { ...memoryStream, replicas: config.STREAM_REPLICAS });
  const bar = createProgressBar(process.stdout, `Embedding with ${embeddings.name}`);
  const { texts, events } = await reembed({ connection, embeddings, onProgress: bar });
  const what = texts === 0 ? 'Nothing was missing.' : `${texts} texts of ${events} events were embedded.`;
  process.stdout.write(`${what} The memory is for ${embeddings.name} now; the next start fills its read model anew.\n`);
}
