import { MongoClient } from 'mongodb';
import { beforeAll, expect, test } from 'vitest';
import { createKey, newPerson, type Person, refusal } from '../system/person.ts';
import { type System, startSystem } from '../system/start-system.ts';
import { type EventLog, openEventLog } from '../system/stores/event-log.ts';

const path = '/api/v3/api-keys';
const database = 'mneme_failures';

let system: System;
let log: EventLog;
let ana: Person;
let bob: Person;
let carol: Person;
let carolsKey: number;
beforeAll(async () => {
  system = await startSystem({ processes: 'one', environment: { MONGODB_DATABASE: database } });
  log = await openEventLog(system.stack.natsUrl, 'ACCESS');
  ana = await newPerson(system.http);
  bob = await newPerson(system.http);
  carol = await newPerson(system.http);
  carolsKey = (await createKey(carol)).id;
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

test('a list of which a record cannot be read is 500, and so is a change of that key', async () => {
  const mongo = await new MongoClient(system.stack.mongodbUrl).connect();
  const { matchedCount } = await mongo
    .db(database)
    .collection('access_keys@1')
    .updateMany({}, { $set: { createdAt: {} } });
  await mongo.close();
  expect(matchedCount).toBeGreaterThan(0);
  const listed = await carol.http.get(`${path}?project_id=${carol.projectId}`);
  expect(listed).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'Failed to list API keys'));
  const key = `${path}/${carolsKey}`;
  const updated = await carol.http.patch(key, { project_id: carol.projectId, name: 'Other' });
  expect(updated).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'Failed to update API key'));
  for (const { body } of [listed, updated]) expect(JSON.stringify(body)).not.toMatch(/mongo|TypeError|\.ts\b/i);
});
