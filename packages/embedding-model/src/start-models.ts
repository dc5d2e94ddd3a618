import { embeddedTypes, memoryStream } from '@mneme/contracts';
import { ensureEventLog, headOf, openLog, readUpTo, typeOf } from '@mneme/event-store';
import {
  builtInSettingOf,
  createEmbeddings,
  createModels,
  defaultEmbeddingSetting,
  type EmbeddingModel,
  embeddingNameOf,
  embeddingSettingOf,
  embeddingSettingsOf,
  ModelError,
  type Models,
  type ModelsConfig,
  type ModelsDeps,
  wordsSetting,
} from '@mneme/models';
import { pingService } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { EmbeddingModels } from './decider.ts';
import { EmbeddingModelMismatchError } from './errors.ts';
import { followLogEmbeddings, type LogEmbeddings } from './log-embeddings.ts';
import { connectModelStore, type ModelStore, recordedOf } from './model-store.ts';
import { storedDimensions } from './stored-dimensions.ts';

export interface StartModelsDeps extends ModelsDeps {
  /** Has to stay open until the embeddings are stopped. */
  readonly connection: NatsConnection;
  /** The service that starts, recorded with the choice of a model. */
  readonly source: string;
}

/** Models whose embedding model is that of the log, and may change while they are used. */
export interface StartedModels {
  /** The embedding model among them is the one at the start. */
  readonly models: Models;
  readonly embeddings: LogEmbeddings;
  /** One line on why the embedding model is another one than the default; undefined if it is the default or configured. */
  readonly notice: string | undefined;
}

type Created = Pick<StartedModels, 'models' | 'notice'>;

/**
 * Creates the configured models for the memory log, and records the embedding model of a log that has none yet. Unless one
 * is configured, a log goes on with the built-in embedding model that it was written with, and a new log gets the default
 * one, or the one that compares words where the default one is not available. A log that was brought, or is being brought,
 * from or to the configured model keeps its own. A log in which nothing is embedded yet gets the configured one, unless
 * services run with another.
 *
 * @throws EmbeddingModelMismatchError when the log holds what was embedded with another model than the configured one
 * @throws ModelError when a model cannot be used, for example because its files are not available
 */
export async function startModels(
  config: ModelsConfig & { readonly STREAM_REPLICAS: number },
  { connection, source, ...others }: StartModelsDeps,
): Promise<StartedModels> {
  await ensureEventLog(connection, [memoryStream], config.STREAM_REPLICAS);
  const store = connectModelStore(connection, source);
  const deps: ModelsDeps = {
    ...others,
    storedDimensions: async (name) => storedDimensions(connection, await store.load(), name),
  };
  for (;;) {
    const recorded = await store.load();
    const { models, notice } = await create(config, deps, recorded);
    try {
      const state = await choose(models.embeddings, recorded, { store, connection });
      const current = { model: models.embeddings, close: models.closeEmbeddings };
      const load = (name: string) => createEmbeddings(configFor(config, name), deps);
      const embeddings = await followLogEmbeddings({ store, state, current, load, logger: deps.logger });
      return { models, notice, embeddings };
    } catch (error) {
      await models.close();
      // Another service that started at the same time has recorded its choice first, or a change has ended meanwhile.
      const isOvertaken = recorded.current !== (await store.load()).current;
      const mayFollow = config.EMBEDDING_MODEL === undefined || isKnown(embeddingNameOf(config), recorded);
      if (!isOvertaken || !mayFollow || !(error instanceof EmbeddingModelMismatchError)) throw error;
    }
  }
}

/** @throws EmbeddingModelMismatchError when something is stored with another model, or other services run with one */
async function choose(
  embeddings: EmbeddingModel,
  { current }: EmbeddingModels,
  { store, connection }: { readonly store: ModelStore; readonly connection: NatsConnection },
): Promise<EmbeddingModels> {
  const model = recordedOf(embeddings);
  try {
    return await store.execute({ type: 'ChooseEmbeddingModel', ...model });
  } catch (error) {
    if (current === undefined || !(error instanceof EmbeddingModelMismatchError)) throw error;
    const through = await endOfUnusedLog(connection);
    if (through === undefined || (await servicesRun(connection))) throw error;
    return store.execute({ type: 'ChooseInstead', ...model, unused: current, through });
  }
}

/** The sequence up to which nothing in the log is embedded; undefined when there is something already. */
async function endOfUnusedLog(connection: NatsConnection): Promise<number | undefined> {
  const log = openLog(connection, memoryStream.name);
  const upTo = await headOf(log);
  const [subject] = memoryStream.subjects;
  for await (const messages of readUpTo(log, { subject, from: 1, upTo })) {
    if (messages.some((message) => embeddedTypes.some((type) => type === typeOf(message)))) return undefined;
  }
  return upTo;
}

/** How long services may take to answer, in milliseconds; NATS says at once if there are none. */
const pingTimeoutMs = 5_000;

/** Whether any service that works with the embedding model of the log runs. */
async function servicesRun(connection: NatsConnection): Promise<boolean> {
  const pings = ['memory-ingest', 'memory-query'].map((name) => pingService(connection, name, pingTimeoutMs));
  return (await Promise.all(pings)).some(Boolean);
}

function configFor<C extends ModelsConfig>(config: C, embeddingModel: string): C {
  return { ...config, ...embeddingSettingsOf(embeddingModel) };
}

async function create(config: ModelsConfig, deps: ModelsDeps, recorded: EmbeddingModels): Promise<Created> {
  const { current, next } = recorded;
  if (config.EMBEDDING_MODEL === undefined)
    return current === undefined ? createDefault(config, deps) : createRecorded(config, deps, current);
  const configured = embeddingNameOf(config);
  if (current === undefined || configured === current || !isKnown(configured, recorded))
    return { models: await createModels(config, deps), notice: undefined };
  const models = await createModels(configFor(config, current), deps).catch((cause: unknown) => {
    throw new EmbeddingModelMismatchError(current, configured, { cause });
  });
  return { models, notice: configured === next ? undefined : broughtOver(config.EMBEDDING_MODEL, current) };
}

/** Whether the log has or had a model, or is being brought to it. */
function isKnown(configured: string | undefined, { current, next, former }: EmbeddingModels): configured is string {
  return configured !== undefined && [current, next, ...former].includes(configured);
}

function broughtOver(configured: string, current: string): string {
  return (
    `EMBEDDING_MODEL is ${configured}, but the memory was brought to ${embeddingSettingOf(current)}, which is used; ` +
    'change the setting, or run `mneme reembed`.'
  );
}

async function createRecorded(config: ModelsConfig, deps: ModelsDeps, recorded: string): Promise<Created> {
  const setting = builtInSettingOf(recorded);
  const models = await createModels(configFor(config, recorded), deps).catch((cause: unknown) => {
    // A model on a server needs settings of its own.
    throw setting === undefined ? new EmbeddingModelMismatchError(recorded, defaultEmbeddingSetting, { cause }) : cause;
  });
  const notice =
    `The stored memory was made with ${embeddingSettingOf(recorded)}, which stays its embedding model; \`mneme reembed\` ` +
    `brings it to ${defaultEmbeddingSetting}.`;
  return { models, notice: setting === defaultEmbeddingSetting ? undefined : notice };
}

async function createDefault(config: ModelsConfig, deps: ModelsDeps): Promise<Created> {
  try {
    const models = await createModels({ ...config, EMBEDDING_MODEL: defaultEmbeddingSetting }, deps);
    return { models, notice: undefined };
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'unavailable') throw error;
    const models = await createModels({ ...config, EMBEDDING_MODEL: wordsSetting }, deps);
    const notice = `This new memory compares words, not meaning (${wordsSetting}), because ${lowerCase(error.message)}`;
    return { models, notice };
  }
}

function lowerCase(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
