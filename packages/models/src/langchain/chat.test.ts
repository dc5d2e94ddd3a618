import { beforeAll, describe, expect, test } from 'vitest';
import type { Models } from '../models.ts';
import { connectModels, type ModelFaultKind, startModelServer } from '../testing/index.ts';
import { item, question, type TaskName, taskNames, tasks } from '../testing/sample-tasks.ts';
import { useModelServer } from '../testing/use-model-server.ts';

const server = useModelServer();
let models: Models;

beforeAll(async () => {
  models = await connectModels(server, { LLM_MAX_RETRIES: '2', LLM_API_KEY: 'my-own-key', EMBEDDING_DIMENSIONS: '8' });
});

const structured: readonly TaskName[] = ['extract', 'opinions', 'revise', 'traits'];

describe.each(taskNames)('%s, when the server fails', (task) => {
  const faults: readonly (readonly [ModelFaultKind, string, number])[] = [
    ['refusal', 'refused', 1],
    ['content-filter', 'refused', 1],
    ['empty', 'empty', 1],
    ['truncated', 'invalid-output', 1],
    ['rate-limit', 'rate-limited', 3],
    ['quota', 'quota', 1],
    ['server-error', 'unavailable', 3],
    ['disconnect', 'unavailable', 3],
    ['unauthorized', 'authentication', 1],
    ['not-found', 'configuration', 1],
    ['not-json', 'invalid-output', 1],
  ];
  test.each(faults)('%s is reported as %s after %i attempts', async (fault, code, calls) => {
    server.replies.always('*', { fault });
    await expect(tasks[task](models)).rejects.toMatchObject({
      name: 'ModelError',
      code,
      message: expect.stringMatching(/^openai:stand-in: .+[.?]$/s),
    });
    const isPatient = task === 'extract' && fault === 'rate-limit';
    if (isPatient) expect(server.calls()).toBeGreaterThan(10);
    else expect(server.calls()).toBe(calls);
  });

  test('a transient fault is retried', async () => {
    server.replies.next(/./, { fault: 'rate-limit', retryAfter: '0' }, { fault: 'server-error' });
    await tasks[task](models);
    expect(server.calls()).toBe(3);
  });

  test('the caller can abort a request', async () => {
    server.replies.always('*', { fault: 'stall' });
    const abort = new AbortController();
    const running = tasks[task](models, abort.signal);
    await expect.poll(() => server.calls()).toBe(1);
    abort.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});

describe.each(structured)('%s, when the form of the answer is wrong', (task) => {
  test.each(['broken-json', 'wrong-form'] as const)('%s is sent back once, with its faults', async (fault) => {
    server.replies.next('*', { fault });
    await tasks[task](models);
    expect(server.calls()).toBe(2);
    const messages = server.requests[1]?.body.messages as { role: string; content: string }[];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[3]?.content).toMatch(fault === 'broken-json' ? /not valid JSON/ : /expected/);
  });

  test.each(['broken-json', 'wrong-form'] as const)('%s twice is an error', async (fault) => {
    server.replies.always('*', { fault });
    await expect(tasks[task](models)).rejects.toMatchObject({ code: 'invalid-output' });
    expect(server.calls()).toBe(2);
  });

  test('a refusal in words is a refusal', async () => {
    server.replies.always('*', "I'm sorry, but I can't help with that.");
    await expect(tasks[task](models)).rejects.toMatchObject({ code: 'refused' });
  });
});

test.each(['stall', 'stall-body'] as const)('%s is a timeout after two attempts', async (fault) => {
  const impatient = await connectModels(server, { LLM_TIMEOUT_MS: '60', EMBEDDING_DIMENSIONS: '8' });
  server.replies.always('*', { fault });
  await expect(impatient.thinker.think(question)).rejects.toMatchObject({ code: 'timeout' });
  await expect(impatient.embeddings.embed(['a'])).rejects.toMatchObject({ code: 'timeout' });
  expect(server.calls('think')).toBe(2);
  expect(server.calls('embed')).toBe(2);
});

test('a server that is not listening is unavailable', async () => {
  const gone = await startModelServer();
  const orphans = await connectModels(gone, { LLM_MAX_RETRIES: '1' });
  await gone.stop();
  await expect(orphans.thinker.think(question)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('ECONNREFUSED'),
  });
});

test('Retry-After is honoured', async () => {
  const delays: number[] = [];
  const patient = await connectModels(
    server,
    {},
    { sleep: async (delayMs) => void delays.push(delayMs), clock: () => new Date('2026-11-20T12:00:00Z') },
  );
  server.replies.next('think', { fault: 'rate-limit', retryAfter: '3' });
  server.replies.next('think', { fault: 'server-error', status: 503, retryAfter: 'Fri, 20 Nov 2026 12:00:05 GMT' });
  await patient.thinker.think(question);
  expect(delays[0]).toBeGreaterThanOrEqual(3000);
  expect(delays[0]).toBeLessThan(4000);
  expect(delays[1]).toBeGreaterThanOrEqual(5000);
  expect(delays[1]).toBeLessThan(6000);
});

test('no message contains a key', async () => {
  server.replies.next('think', {
    fault: 'bad-request',
    message: 'Your key my-own-key (sk-proj-12345678) may not do that',
  });
  await expect(models.thinker.think(question)).rejects.toMatchObject({
    message:
      'openai:stand-in: the server refused the request (status 400). The server said: Your key [key] ([key]) may not do that',
  });
});

test('the concurrency limit is for all tasks of a model together', async () => {
  const slow = await startModelServer({ latencyMs: 20 });
  const bounded = await connectModels(slow, { LLM_CONCURRENCY: '3', EMBEDDING_DIMENSIONS: '8' });
  await Promise.all([
    ...Array.from({ length: 6 }, () => bounded.thinker.think(question)),
    bounded.extractor.extract({ ...item, content: 'Anna lives in Rome, and she likes it there. '.repeat(600) }),
  ]);
  expect(slow.peak()).toBe(3);
  await slow.stop();
});

test('a used-up quota is none of a wrong key, whatever the status', async () => {
  server.replies.next('think', { fault: 'quota', status: 403 });
  await expect(models.thinker.think(question)).rejects.toMatchObject({ code: 'quota', status: 403 });
});

test('what the server says is told to the caller, and not logged', async () => {
  const lines: string[] = [];
  const warn = (_fields: object, message: string) => void lines.push(message);
  const logger = { debug: () => undefined, info: () => undefined, warn };
  const own = await connectModels(server, { EMBEDDING_DIMENSIONS: '8', LLM_MAX_RETRIES: '1' }, { logger });
  server.replies.always('think', { fault: 'server-error', message: 'Busy with: Where does Anna live?' });
  await expect(own.thinker.think(question)).rejects.toThrow('The server said: Busy with: Where does Anna live?');
  expect(lines).toEqual(['openai:stand-in: the server has failed (status 500). Trying again.']);
});

test('an answer that is too large is not fetched again', async () => {
  server.replies.always('*', 'x'.repeat(65 * 1024 * 1024));
  const message = 'openai:stand-in: the answer is larger than 64 MiB. Is the base URL right?';
  await expect(models.thinker.think(question)).rejects.toMatchObject({ code: 'invalid-output', message });
  expect(server.calls()).toBe(1);
});
