import { describe, expect, it } from 'vitest';
import { memoryMiddleware, memoryTools } from './ai-sdk/index.ts';
import { MnemeError } from './http/error.ts';
import { MnemeStore, recallNode, rememberNode } from './langgraph/index.ts';
import { Mneme } from './mneme.ts';
import { MnemeSession } from './openai-agents/index.ts';
import { json, scriptedFetch } from './testing/scripted-fetch.ts';

type Method = (...given: unknown[]) => unknown;

/** Which argument is an object whose fields are for the server to judge, or of the caller's own. */
const isContent: ReadonlySet<string> = new Set([
  'agent.remember 0',
  'agent.recall 0',
  'agent.context 0',
  'agent.think 0',
  'agent.profile.addBackground 0',
  'webhooks.test 1',
]);

/** All methods of the client and of an agent. */
function* methodsOf(owner: object, path: readonly string[] = []): Generator<[name: string, method: Method]> {
  const own = Object.entries(owner);
  const inherited = owner instanceof Mneme ? Object.getOwnPropertyNames(Mneme.prototype) : [];
  const named = inherited.map((name) => [name, Reflect.get(owner, name)] as const);
  for (const [name, member] of [...own, ...named]) {
    if (['constructor', 'agent'].includes(name)) continue;
    if (typeof member === 'function') yield [[...path, name].join('.'), member.bind(owner)];
    else if (typeof member === 'object' && member !== null) yield* methodsOf(member, [...path, name]);
  }
}

/** What is done to an argument that is taken for a text or a number. */
const ofScalars: ReadonlySet<unknown> = new Set(['toString', 'valueOf', 'toJSON']);

/** Options with one that does not exist, and whether somebody has looked into them. */
function probe(field: string) {
  const seen = { isRead: false };
  const options = new Proxy<Record<string, unknown>>(
    { [field]: 1 },
    {
      ownKeys: (target) => {
        seen.isRead = true;
        return Reflect.ownKeys(target);
      },
      get: (target, name) => {
        if (typeof name === 'string' && !ofScalars.has(name)) seen.isRead = true;
        return Reflect.get(target, name);
      },
    },
  );
  return { options, seen };
}

/** Calls a method, also if it is a list or a stream, which are read as they begin. */
async function outcomeOf(method: Method, given: readonly unknown[]): Promise<unknown> {
  try {
    const result = method(...given);
    const isList = typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
    if (isList) for await (const _ of result as AsyncIterable<unknown>) break;
    else await result;
  } catch (error) {
    return error;
  }
}

/** The arguments of a method that take an object, and accept one with a field of this name. */
async function acceptedBy(name: string, method: Method, field: string) {
  const accepted: string[] = [];
  let taken = 0;
  for (const position of [0, 1, 2]) {
    // What comes before may be a text or an object.
    const tries = ['1', {}].map(async (other) => {
      const { options, seen } = probe(field);
      const before = Array.from({ length: position }, () => other);
      const outcome = await outcomeOf(method, [...before, options]);
      const isRefused = outcome instanceof MnemeError && outcome.code === 'INVALID_REQUEST';
      return { isRead: seen.isRead, isRefused: isRefused && outcome.detail.includes(` ${field}`) };
    });
    const outcomes = await Promise.all(tries);
    if (!outcomes.some(({ isRead }) => isRead)) continue;
    taken += 1;
    const isRefused = outcomes.some((outcome) => outcome.isRefused);
    if (!isRefused && !isContent.has(`${name} ${position}`)) accepted.push(`${name} ${position}`);
  }
  return { accepted, taken };
}

function clients() {
  const { fetch } = scriptedFetch(json({}));
  const mneme = new Mneme({ fetch, retries: 0 });
  return { mneme, agent: mneme.agent('a') };
}

describe('an option that does not exist', () => {
  const { mneme, agent } = clients();
  const methods = [...methodsOf(mneme), ...methodsOf(agent, ['agent'])];

  it('is looked for in all areas', () => {
    const names = methods.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['me', 'keys.create', 'agent.recall', 'agent.memories.list']));
    expect(names.length).toBeGreaterThan(70);
  });

  it.each(methods)('is refused by %s, wherever it takes an object', async (name, method) => {
    const { accepted, taken } = await acceptedBy(name, method, 'no_such_option');
    expect(accepted).toEqual([]);
    expect(taken).toBeGreaterThan(0);
  });

  it.each(methods)('is refused by %s, also if requests have something of its name', async (name, method) => {
    for (const field of ['path', 'query', 'body', 'headers', 'retries', 'lastEventId']) {
      expect((await acceptedBy(name, method, field)).accepted).toEqual([]);
    }
  });

  it('is the key of a command for a request that is none', async () => {
    const options: object = { idempotencyKey: 'k' };
    for (const request of [
      () => agent.stats(options),
      () => agent.recall('q', options),
      () => agent.documents.delete('d', options),
      () => agent.profile.update({}, options),
    ]) {
      await expect(request()).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        detail: expect.stringContaining('Key'),
      });
    }
  });

  const unknown: object = { no_such_option: 1 };
  it.each<[string, () => unknown]>([
    ['Mneme', () => new Mneme(unknown)],
    ['MnemeSession', () => new MnemeSession(agent, unknown)],
    ['MnemeStore', () => new MnemeStore(agent, unknown)],
    ['memoryMiddleware', () => memoryMiddleware(agent, unknown)],
    ['memoryMiddleware for recall', () => memoryMiddleware(agent, { recall: unknown })],
    ['memoryTools', () => memoryTools(agent, unknown)],
    ['memoryTools for recall', () => memoryTools(agent, { recall: unknown })],
    ['recallNode', () => recallNode(agent, unknown)],
    ['rememberNode', () => rememberNode(agent, unknown)],
  ])('is refused when it is made: %s', (_, make) => {
    expect(make).toThrow(MnemeError);
    expect(make).toThrow(/no_such_option; names are written like noSuchOption/);
  });

  it('is not one that exists', () => {
    const recall = { after: 'MEMORY:1', types: ['world'], minScore: 0.1, filter: { a: 1 } } as const;
    const conversation = { documentId: 'd', wait: false, metadata: { a: 'b' }, roles: ['user'] } as const;
    memoryMiddleware(agent, { ...conversation, recall: { ...recall, limit: 3, maxTokens: 9 }, onError: () => {} });
    memoryMiddleware(agent, { recall: false, remember: true });
    memoryTools(agent, { recall, maxTokens: 9, documentId: 'd', metadata: { a: 'b' } });
    recallNode(agent, { ...recall, limit: 3, maxTokens: 9, into: 'known' });
    rememberNode(agent, conversation);
    new MnemeStore(agent, { fields: ['text'], minScore: 0.1 });
    expect(() => new MnemeSession(agent, { sessionId: 's', remember: false })).not.toThrow();
  });
});
