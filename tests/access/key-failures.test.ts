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
beforeAll(async () => {
  system = await startSystem({ processes: 'one', environment: { MONGODB_DATABASE: database } });
  log = await openEventLog(system.stack.natsUrl, 'ACCESS');
  ana = await newPerson(system.http);
  bob = await newPerson(system.http);
  carol = await newPerson(system.http);
  await createKey(carol);
  return async () => {
    await log.close();
    await system.stop();
  };
});

/** An event that no reader knows, so that no one can decide on what it is part of. */
function spoil(subject: string): Promise<void> {
  return log.append(subject, 'SomethingUnheardOf', {});
}

test('what fails in a way that no one expected is 500, with the words for each request and no others', async () => {
  const { id } = await createKey(ana);
  await spoil(`access.key.${id}`);
  const project_id = ana.projectId;
  const [updated, deleted, regenerated] = await Promise.all([
    ana.http.patch(`${path}/${id}`, { project_id, name: 'Other' }),
    ana.http.delete(`${path}/${id}?project_id=${project_id}`),
    ana.http.post(`${path}/${id}/regenerate`, { project_id }),
  ]);
  expect(updated).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'Failed to update API key'));
  expect(deleted).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'Failed to delete API key'));
  expect(regenerated).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'Failed to regenerate API key'));
  await spoil('access.numbers.key');
  const created = await ana.http.post(path, { project_id, name: 'Another' });
  expect(created).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'Failed to create API key'));
  const first = await bob.http.post(path, { project_id: bob.projectId, name: 'First' });
  const noStorage = 'Failed to create api_keys_list table in System Data.';
  expect(first).toMatchObject(refusal(500, 'INTERNAL_ERROR', noStorage));
});

test('a list with a key of which an event could not be applied says so', async () => {
  const listed = await ana.http.get(`${path}?project_id=${ana.projectId}`);
  expect(listed).toMatchObject({ status: 503, body: { code: 'READ_MODEL_BEHIND' } });
});

test('a list of which a record cannot be read is 500', async () => {
  const mongo = await new MongoClient(system.stack.mongodbUrl).connect();
  const { matchedCount } = await mongo
    .db(database)
    .collection('access_keys@1')
    .updateMany({}, { $set: { createdAt: {} } });
  await mongo.close();
  expect(matchedCount).toBeGreaterThan(0);
  const listed = await carol.http.get(`${path}?project_id=${carol.projectId}`);
  expect(listed).toMatchObject(refusal(500, 'INTERNAL_ERROR', 'Failed to list API keys'));
  expect(JSON.stringify(listed.body)).not.toMatch(/mongo|TypeError|\.ts\b/i);
});
