import { miniLmName } from './minilm/minilm-embeddings.ts';
import { hashedName } from './text/hashed-embeddings.ts';

/** The embedding model that is used unless another one is configured or was used before. */
export const defaultEmbeddingSetting = 'builtin:minilm';
/** The built-in model that works on every machine. */
export const wordsSetting = 'builtin:words';

/** The names of the built-in models, as events hold them, by the setting EMBEDDING_MODEL. Names in a log never change. */
const builtInNames: Readonly<Record<string, string>> = {
  [defaultEmbeddingSetting]: miniLmName,
  [wordsSetting]: hashedName,
};

/** The setting EMBEDDING_MODEL of a built-in model; undefined for other models. @param name as events hold it */
export function builtInSettingOf(name: string): string | undefined {
  return Object.keys(builtInNames).find((setting) => builtInNames[setting] === name);
}

/** The setting EMBEDDING_MODEL that leads to a model. @param name as events hold it, for a server with its dimensions */
export function embeddingSettingOf(name: string): string {
  const { EMBEDDING_MODEL: setting, EMBEDDING_DIMENSIONS: dimensions } = embeddingSettingsOf(name);
  return dimensions === undefined ? setting : `${setting} with EMBEDDING_DIMENSIONS=${dimensions}`;
}

/** The settings that lead to a model. */
export interface EmbeddingSettings {
  readonly EMBEDDING_MODEL: string;
  readonly EMBEDDING_DIMENSIONS: number | undefined;
}

/** The settings that lead to a model. @param name as events hold it */
export function embeddingSettingsOf(name: string): EmbeddingSettings {
  const served = /^(.+)@(\d+)$/.exec(name);
  if (served?.[1] !== undefined) return { EMBEDDING_MODEL: served[1], EMBEDDING_DIMENSIONS: Number(served[2]) };
  return { EMBEDDING_MODEL: builtInSettingOf(name) ?? name, EMBEDDING_DIMENSIONS: undefined };
}

/** The name, as events hold it, of the model that settings lead to; undefined when none is named. */
export function embeddingNameOf(settings: {
  readonly EMBEDDING_MODEL?: string | undefined;
  readonly EMBEDDING_DIMENSIONS?: number | undefined;
}): string | undefined {
  const { EMBEDDING_MODEL: setting, EMBEDDING_DIMENSIONS: dimensions } = settings;
  if (setting === undefined) return undefined;
  if (!isServedEmbedding(setting)) return builtInNames[setting];
  return dimensions === undefined ? setting : `${setting}@${dimensions}`;
}

/** Whether a setting names a model on a server. */
export function isServedEmbedding(setting: string | undefined): setting is string {
  return setting !== undefined && !setting.startsWith('builtin:');
}
