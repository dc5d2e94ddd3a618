import { beforeAll, expect, test } from 'vitest';
import { createKey, newPerson, type Person } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type EventLog, openEventLog } from '../system/stores/event-log.ts';

const path = '/api/v3/api-keys';

let system: System;
let log: EventLog;
let ana: Person;
let bob: Person;
beforeAll(async () => {
  system = await startSystem({ processes: 'one' });
  log = await openEventLog(system.stack.natsUrl, 'ACCESS');
  ana = await newPerson(system.http);
  bob = await newPerson(system.http);
  return async () => {
    await log.close();
    await system.stop();
  };
});

/** An event that no reader knows, so that no one can decide on what it is part of. */
function spoil(subject: string): Promise<void> {
  return log.append(subject, 'SomethingUnheardOf', {});
}

test('a command about a key with an event that cannot be read is 503 and names it', async () => {
  const { id } = await createKey(ana);
  await spoil(`access.key.${id}`);
  const project_id = ana.projectId;
  const [updated, deleted, regenerated] = await Promise.all([
    ana.http.patch(`${path}/${id}`, { project_id, name: 'Other' }),
    ana.http.delete(`${path}/${id}?project_id=${project_id}`),
    ana.http.post(`${path}/${id}/regenerate`, { project_id }),
  ]);
  const message = expect.stringMatching(/^The message at ACCESS:\d+ cannot be read: .*docs\/dead-letters\.md/);
  for (const refused of [updated, deleted, regenerated])
    expect(refused).toMatchObject({ status: 503, body: { code: 'READ_MODEL_BEHIND', message } });
  await spoil('access.numbers.key');
  const created = await ana.http.post(path, { project_id, name: 'Another' });
  const first = await bob.http.post(path, { project_id: bob.projectId, name: 'First' });
  for (const refused of [created, first])
    expect(refused).toMatchObject({ status: 503, body: { code: 'READ_MODEL_BEHIND', message } });
});

test('a list with a key of which an event could not be applied says so', async () => {
  const listed = await ana.http.get(`${path}?project_id=${ana.projectId}`);
  expect(listed).toMatchObject({ status: 503, body: { code: 'READ_MODEL_BEHIND' } });
});
