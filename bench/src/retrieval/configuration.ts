import type { Settings } from '../system/running-system.ts';

/** A system under measurement. */
export interface Configuration {
  readonly name: string;
  /** Environment variables of the system. */
  readonly settings: Settings;
}

/** Batches may take longer on a busy machine than the system waits for them by default. */
const base: Settings = { SYNC_TIMEOUT_MS: '600000' };

/**
 * Each model with each group of settings. A `--set` is `default`, `NAME=value`, or `label:NAME=value`: those of one
 * label belong to one configuration. Without a model or a setting, the system's defaults.
 * @throws Error when a setting has another form
 */
export function configurationsOf(models: readonly string[], sets: readonly string[]): Configuration[] {
  const groups = groupsOf(sets.length > 0 ? sets : ['default']);
  const chosen = models.length > 0 ? models : [undefined];
  return chosen.flatMap((model) =>
    [...groups].map(([label, settings]) => ({
      name: [model, label === 'default' ? undefined : label].filter((part) => part !== undefined).join(', ') || label,
      settings: { ...base, ...(model === undefined ? {} : { EMBEDDING_MODEL: model }), ...settings },
    })),
  );
}

function groupsOf(sets: readonly string[]): Map<string, Settings> {
  const groups = new Map<string, Settings>();
  for (const set of sets) {
    const { label, settings } = parseSet(set);
    groups.set(label, { ...groups.get(label), ...settings });
  }
  return groups;
}

function parseSet(set: string): { label: string; settings: Settings } {
  if (set === 'default') return { label: set, settings: {} };
  const match = /^(?:([^:=]+):)?([A-Z][A-Z0-9_]*)=(.*)$/s.exec(set);
  if (!match) throw new Error(`--set is default, NAME=value or label:NAME=value, not ${set}`);
  const [, label = set, name = '', value = ''] = match;
  return { label, settings: { [name]: value } };
}
