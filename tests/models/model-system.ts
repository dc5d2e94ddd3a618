import { type ModelServer, startModelServer } from '@mneme/models/testing';
import { beforeAll, beforeEach } from 'vitest';
import type { HttpClient } from '../system/http-client.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { type System, type SystemOptions, startSystem } from '../system/start-system.ts';

/** The whole system with a stand-in for the server of models. */
export interface ModelSystem {
  readonly system: System;
  readonly model: ModelServer;
  stop(): Promise<void>;
}

/** Short, so that what stalls is given up soon. */
const patience = { LLM_TIMEOUT_MS: '600', LLM_MAX_RETRIES: '1' };

/** A shared system with a stand-in for the server of models, and a space of its own. */
export interface SharedModelSystem {
  /** Requests without other credentials come from the owner of the space. */
  readonly system: Pick<SharedSystem, 'http' | 'stack' | 'openLog'>;
  readonly model: ModelServer;
  /** Leaves the system to the next file. */
  release(): Promise<void>;
}

/** Of this worker. Modules may be loaded anew for a file; this stays. */
const held = globalThis as { mnemeModelServer?: Promise<ModelServer> };

/** The stand-in of this worker, without replies of a file before, and the settings of the system that asks it. */
export async function shareModelServer() {
  held.mnemeModelServer ??= startModelServer();
  const model = await held.mnemeModelServer;
  model.reset();
  return { model, settings: settingsFor(model) };
}

/** For files that break nothing and need no settings of their own. Reset the model before each test. */
export async function shareModelSystem(): Promise<SharedModelSystem> {
  const { model, settings } = await shareModelServer();
  const shared = await shareSystem(settings);
  const http: HttpClient = await shared.ownSpace();
  return { system: { http, stack: shared.stack, openLog: shared.openLog }, model, release: shared.release };
}

/** The same for all tests of a file, each of which begins with a model that was asked and told nothing. */
export function useModelSystem(): Omit<SharedModelSystem, 'release'> {
  const fixture: Partial<SharedModelSystem> = {};
  beforeAll(async () => {
    Object.assign(fixture, await shareModelSystem());
    return fixture.release;
  });
  beforeEach(() => fixture.model?.reset());
  return fixture as SharedModelSystem;
}

function settingsFor({ url }: ModelServer): Readonly<Record<string, string>> {
  return { LLM_MODEL: 'openai:stand-in', LLM_BASE_URL: url, EMBEDDING_MODEL: 'openai:stand-in', ...patience };
}

export async function startModelSystem(options: Partial<SystemOptions> = {}): Promise<ModelSystem> {
  const model = await startModelServer();
  const environment = { ...settingsFor(model), ...options.environment };
  const system = await startSystem({ processes: 'one', ...options, environment }).catch(async (error) => {
    await model.stop();
    throw error;
  });
  return {
    system,
    model,
    stop: async () => {
      await system.stop();
      await model.stop();
    },
  };
}

/** What a model answers when it finds one opinion. */
export function oneOpinion(text: string, confidence = 0.8) {
  return { json: { opinions: [{ text, confidence, entities: [{ name: 'Ana', type: 'PERSON' }] }] } };
}
