import { beforeAll, describe, expect, test } from 'vitest';
import {
  acknowledge,
  createTableWebhook,
  logsOf,
  rowsOf,
  type TableWebhook,
  tableOf,
  webhookOf,
} from '../system/deliveries.ts';
import { createKey, newPerson, type Person, refusal } from '../system/person.ts';
import { type SharedSystem, shareSystem } from '../system/shared-system.ts';
import { type ManagementRequest, managementRequests } from './management-requests.ts';

/** A webhook with one delivery, in a project of a new space. */
async function openProject(person: Person, type: 'personal' | 'team') {
  const { body: space } = await person.http.post('/api/v3/spaces', { name: 'A space', type });
  const { body: project } = await person.http.post('/api/v3/projects', { name: 'A project', space_id: space.id });
  const owner: Person = { ...person, spaceId: space.id, projectId: project.id };
  const webhook = await createTableWebhook(owner);
  await acknowledge(person.http, webhook, '{"a":1}');
  const [log] = await logsOf(owner, webhook);
  return {
    owner,
    webhook,
    requests: managementRequests(webhook, log?.id ?? 0),
    missing: managementRequests(gone(webhook), 987),
  };
}

const gone = (webhook: TableWebhook): TableWebhook => ({
  ...webhook,
  id: 987_654,
  project_id: 987_654,
  table_id: 987_654,
});

/** As if nothing were there, and nothing has changed. */
async function expectHidden(requests: readonly ManagementRequest[], person: Person): Promise<void> {
  for (const { name, subject, send } of requests) {
    expect(await send(person.http), name).toMatchObject(refusal(404, 'NOT_FOUND', `${subject} not found`));
  }
}

async function expectUnchanged(owner: Person, webhook: TableWebhook): Promise<void> {
  expect(await webhookOf(owner, webhook.id)).toMatchObject({ is_active: 1, name: webhook.name, totalCalls: 1 });
  expect(await logsOf(owner, webhook)).toHaveLength(1);
  expect(await rowsOf(owner, webhook.table_id)).toHaveLength(1);
}

describe.each(['spec', 'strict'])('with the access policy %s', (policy) => {
  let system: SharedSystem;
  let ana: Person;
  let ben: Person;
  beforeAll(async () => {
    system = await shareSystem(policy === 'spec' ? {} : { ACCESS_POLICY: policy });
    ana = await newPerson(system.http);
    ben = await newPerson(system.http);
    return system.release;
  });

  test('webhooks and tables of a team space are there for its owner only', async () => {
    const { owner, webhook, requests, missing } = await openProject(ana, 'team');
    await expectHidden(requests, ben);
    await expectHidden(missing, ana);
    await expectUnchanged(owner, webhook);
  });

  test(`those of a personal space ${policy === 'spec' ? 'can be managed by others' : 'are there for its owner only'}`, async () => {
    const { owner, webhook, requests } = await openProject(ana, 'personal');
    if (policy === 'strict') {
      await expectHidden(requests, ben);
      await expectUnchanged(owner, webhook);
      return;
    }
    for (const { name, send } of requests.filter(({ name }) => !name.endsWith('/stream'))) {
      expect((await send(ben.http)).status, name).toBeLessThan(300);
    }
    expect((await ana.http.get(`/api/v3/webhooks/${webhook.id}/logs`)).status).toBe(404);
    // Its own delivery, and the one of the test.
    expect((await tableOf(owner, webhook.table_id)).row_count).toBe(2);
  });

  // No matter who owns the space.
  test.runIf(policy === 'spec')(
    'an issued key is 403, no credential or a bad one is 401, and nothing changes',
    async () => {
      const { owner, webhook, requests } = await openProject(ana, 'personal');
      const { key } = await createKey(ana, { scopes: ['*'] });
      for (const { name, send } of requests) {
        expect(await send(system.http.as(key)), name).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
        expect((await send(system.http.with({ 'x-api-key': key }))).status, name).toBe(403);
        for (const http of [system.http, system.http.as('nonsense'), system.http.as(`sk-${'0'.repeat(32)}`)]) {
          const answer = await send(http);
          expect(answer, name).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
          expect(answer.headers.get('www-authenticate')).not.toBeNull();
        }
      }
      await expectUnchanged(owner, webhook);
    },
  );
});
