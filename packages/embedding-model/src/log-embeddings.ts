import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddingModel, LoadedEmbeddings, ModelsLogger } from '@mneme/models';
import { LineLimit } from '@mneme/workers/line-limit';
import type { EmbeddingModels } from './decider.ts';
import type { ModelStore } from './model-store.ts';

/** The embedding models that the log needs, as a process has loaded them. They change while it runs. */
export interface LogEmbeddings {
  /** New memories are embedded with it. Work on one memory must use one of the returned models from begin to end. */
  current(): EmbeddingModel;
  /** The model that the memory is being brought to, when it is loaded. */
  next(): EmbeddingModel | undefined;
  /** All that can be used, with those that hardly anything needs any more. */
  loaded(): readonly EmbeddingModel[];
  /** As of the last look at the log. */
  state(): EmbeddingModels;
  /** Makes the next model the one of the log, unless the change was given up. */
  endChange(embeddingModel: string): Promise<void>;
  /** Calls back after each change of what the functions above return, until it is cancelled. */
  onChange(changed: () => void): { cancel(): void };
  /** Ends the models. */
  stop(): Promise<void>;
}

/** Always the same model, for a log that stays with it. */
export function fixedEmbeddings(model: EmbeddingModel): LogEmbeddings {
  return {
    current: () => model,
    next: () => undefined,
    loaded: () => [model],
    state: () => ({ current: model.name, next: undefined, through: undefined, former: [], dimensions: {} }),
    endChange: () => Promise.resolve(),
    onChange: () => ({ cancel: () => undefined }),
    stop: () => Promise.resolve(),
  };
}

export interface LogEmbeddingsDeps {
  readonly store: ModelStore;
  /** As they are when the process starts. */
  readonly state: EmbeddingModels;
  readonly current: LoadedEmbeddings;
  /** @param name as events hold it; @throws ModelError when the model cannot be used here */
  readonly load: (name: string) => Promise<LoadedEmbeddings>;
  readonly logger: ModelsLogger | undefined;
  /** How often to look at the log, in milliseconds; 1 000 unless given. */
  readonly lookEveryMs?: number;
}

const usualLookEveryMs = 1_000;
/** How long a model that could not be loaded is left alone, in milliseconds. */
const loadAgainMs = 10_000;
/**
 * How long a model that is not needed any more can still be used, in milliseconds: by what was begun with it, and by
 * versions of a read model that other instances answer from.
 */
const retiredAfterMs = 120_000;

/** Follows the log, and loads and ends models as it says. Loads the next model at once if there is one. */
export async function followLogEmbeddings(deps: LogEmbeddingsDeps): Promise<LogEmbeddings> {
  const following = new FollowedEmbeddings(deps);
  await following.begin();
  return following;
}

class FollowedEmbeddings implements LogEmbeddings {
  readonly #deps: LogEmbeddingsDeps;
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<() => void>();
  /** All that are not ended, by name. */
  readonly #loaded = new Map<string, LoadedEmbeddings>();
  readonly #retiring = new Map<string, NodeJS.Timeout>();
  readonly #failures = new LineLimit();
  #state: EmbeddingModels;
  #current: LoadedEmbeddings;
  #loadAfter = 0;
  #following: Promise<void> = Promise.resolve();

  constructor(deps: LogEmbeddingsDeps) {
    this.#deps = deps;
    this.#state = deps.state;
    this.#current = deps.current;
    this.#loaded.set(deps.current.model.name, deps.current);
  }

  async begin(): Promise<void> {
    await this.#loadNeeded();
    this.#following = this.#keepFollowing();
  }

  current(): EmbeddingModel {
    return this.#current.model;
  }

  next(): EmbeddingModel | undefined {
    const { next } = this.#state;
    return next === undefined ? undefined : this.#loaded.get(next)?.model;
  }

  loaded(): readonly EmbeddingModel[] {
    return [...this.#loaded.values()].map(({ model }) => model);
  }

  state(): EmbeddingModels {
    return this.#state;
  }

  async endChange(embeddingModel: string): Promise<void> {
    this.#adopt(await this.#deps.store.execute({ type: 'EndChange', embeddingModel }));
  }

  onChange(changed: () => void): { cancel(): void } {
    this.#listeners.add(changed);
    return { cancel: () => void this.#listeners.delete(changed) };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#following;
    for (const timer of this.#retiring.values()) clearTimeout(timer);
    await Promise.all([...this.#loaded.values()].map(({ close }) => close()));
  }

  async #keepFollowing(): Promise<void> {
    const { signal } = this.#stopping;
    const { store, logger, lookEveryMs = usualLookEveryMs } = this.#deps;
    while (!signal.aborted) {
      await pause(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        this.#adopt(await store.load());
        await this.#loadNeeded();
      } catch (error) {
        this.#failures.write((omitted) =>
          logger?.warn({ err: error, ...omitted }, 'The embedding model of the log cannot be looked up'),
        );
      }
    }
  }

  #adopt(state: EmbeddingModels): void {
    const before = this.#state;
    this.#state = state;
    const isSame = before.current === state.current && before.next === state.next && before.through === state.through;
    if (!isSame) this.#settle();
  }

  /** Loads what the log needs, if that did not fail a moment ago. */
  async #loadNeeded(): Promise<void> {
    const missing = [this.#state.current, this.#state.next].find(
      (name) => name !== undefined && !this.#loaded.has(name),
    );
    if (missing === undefined || performance.now() < this.#loadAfter) return;
    const { load, logger } = this.#deps;
    try {
      const loaded = await load(missing);
      this.#loaded.set(missing, loaded);
      logger?.info(
        { embeddingModel: missing },
        'Loaded an embedding model, since `mneme reembed` brings the memory to it',
      );
    } catch (error) {
      this.#loadAfter = performance.now() + loadAgainMs;
      const still = { err: error, embeddingModel: missing, still: this.#current.model.name };
      logger?.warn(still, 'The embedding model that the memory is brought to cannot be loaded with these settings');
    }
    this.#settle();
  }

  /** Uses the model of the log as soon as it is loaded, and retires what is not needed any more. */
  #settle(): void {
    const { current, next } = this.#state;
    const wanted = current === undefined ? undefined : this.#loaded.get(current);
    if (wanted && wanted !== this.#current) {
      const change = { from: this.#current.model.name, to: wanted.model.name };
      this.#deps.logger?.info(change, 'Memories are embedded by another model from now on');
      this.#current = wanted;
    }
    for (const name of this.#loaded.keys()) {
      if (name === current || name === next || name === this.#current.model.name) this.#keep(name);
      else this.#retire(name);
    }
    for (const changed of this.#listeners) changed();
  }

  #keep(name: string): void {
    clearTimeout(this.#retiring.get(name));
    this.#retiring.delete(name);
  }

  #retire(name: string): void {
    if (this.#retiring.has(name)) return;
    const end = () => {
      this.#retiring.delete(name);
      const retired = this.#loaded.get(name);
      this.#loaded.delete(name);
      void retired?.close();
    };
    this.#retiring.set(name, setTimeout(end, retiredAfterMs).unref());
  }
}
