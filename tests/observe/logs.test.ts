import { memorySubjects } from '@mneme/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { createKey, newPerson } from '../system/person.ts';
import { type ServiceName, serviceNames } from '../system/service-process.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { openEventLog } from '../system/stores/event-log.ts';
import { tokenOf } from '../system/tokens.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ processes: 'each', environment: { LOG_LEVEL: 'debug' } });
});
afterAll(() => system?.stop());

const secret = 'Zanzibar has a harbour';

/** The lines that all services have written so far. */
function lines(names: readonly ServiceName[] = serviceNames): readonly string[] {
  const texts = names.map((name) => system.service(name).output());
  return texts.flatMap((text) => text.split('\n').slice(0, -1)).filter((line) => line.startsWith('{'));
}

/** Names that stand more than once in an object of JSON text, at any depth. Values are passed over as they are parsed. */
function repeatedNames(line: string): readonly string[] {
  const repeated: string[] = [];
  const names: Set<string>[] = [];
  for (const [token, name] of line.matchAll(/"((?:[^"\\]|\\.)*)"\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') names.push(new Set());
    else if (token === '}') names.pop();
    else if (name !== undefined) {
      if (names.at(-1)?.has(name)) repeated.push(name);
      names.at(-1)?.add(name);
    }
  }
  return repeated;
}

test('each request has one line with the id that its caller got, and who sent it', async () => {
  const { userId, projectId } = await newPerson(system.http);
  const person = { userId, projectId, http: system.http.as(tokenOf(userId)), spaceId: 0 };
  const { key } = await createKey(person);
  const store = { agent_id: 'logged', items: [{ content: `${secret}.` }] };
  const answers = [
    await system.http.as(key).post('/api/memories/batch', store),
    await person.http.get('/api/stats/logged?unknown=1'),
    await system.http.get('/api/list?agent_id=logged'),
    await system.http.as(`${key}0`).get('/api/list?agent_id=logged'),
  ];
  for (const { status, headers } of answers) {
    const requestId = headers.get('x-request-id');
    const line = await eventually('the request is logged', () =>
      lines(['gateway']).find(
        (each) => each.includes(`"requestId":"${requestId}"`) && each.includes('"msg":"Request"'),
      ),
    );
    expect(JSON.parse(line)).toMatchObject({ service: 'gateway', requestId, status, ms: expect.any(Number) });
    expect(JSON.parse(line)).toMatchObject({ method: expect.any(String), route: expect.stringMatching(/^\/api/) });
  }
  const principals = lines(['gateway']).map((line) => (JSON.parse(line) as { principal?: string }).principal);
  expect(principals).toEqual(expect.arrayContaining([`user:${userId}`, 'anonymous', expect.stringMatching(/^key:/)]));
  expect(lines().join('\n')).not.toContain(key.slice(0, 20));
});

test('each event that fails has a line, with where it stands', async () => {
  const log = await openEventLog(system.stack.natsUrl);
  await log.append(memorySubjects.operation({ space: 'public', agentId: 'logged' }, 'none'), 'BatchSubmitted', {
    secret,
  });
  await log.close();
  const line = await eventually('the dead letter is logged', () =>
    lines(['memory-ingest']).find((each) => each.includes('Dead-lettered')),
  );
  expect(JSON.parse(line)).toMatchObject({ handler: 'memory-ingest', stream: 'MEMORY', sequence: expect.any(Number) });
});

test('every line is an object without a name that stands twice, and without what was stored', () => {
  const all = lines();
  expect(all.length).toBeGreaterThan(10);
  for (const line of all) {
    expect(() => JSON.parse(line)).not.toThrow();
    expect(repeatedNames(line), line).toEqual([]);
  }
  expect(all.join('\n')).not.toMatch(/Zanzibar|harbour/);
});
