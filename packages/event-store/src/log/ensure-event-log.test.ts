import { accessStream, memoryStream, webhookStream } from '@mneme/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { beforeEach, expect, it } from 'vitest';
import { useTestLog } from '../testing/test-log.ts';
import { ensureEventLog } from './ensure-event-log.ts';

const log = useTestLog();
const all = [memoryStream, webhookStream, accessStream];
const ensure = (streams = all) => ensureEventLog(log.connection, streams, 1);
const manager = () => jetstreamManager(log.connection);
const names = async () => (await (await manager()).streams.names().next()).filter((name) => !name.startsWith('T'));

beforeEach(async () => {
  for (const name of await names()) await (await manager()).streams.delete(name);
});

it('makes the streams of a new log, also where a first start was killed or has written a setting', async () => {
  await ensure([memoryStream]);
  await jetstream(log.connection).publish('memory.settings.embedding-model', '{}');
  await ensure();
  expect((await names()).toSorted()).toEqual(['ACCESS', 'MEMORY', 'WEBHOOKS']);
});

it.each([
  ['MEMORY', 'access.user.1', 'ACCESS'],
  ['WEBHOOKS', 'memory.7.agent.a', 'MEMORY'],
  ['ACCESS', 'webhooks.call.1', 'WEBHOOKS'],
])(
  'refuses to make %s anew beside a stream with events, until an empty one is made by hand',
  async (lost, subject, other) => {
    await ensure();
    await jetstream(log.connection).publish(subject, '{}');
    const { streams } = await manager();
    const { config } = await streams.info(lost);
    await streams.delete(lost);
    await expect(ensure()).rejects.toMatchObject({
      name: 'StreamUnfitError',
      message: expect.stringMatching(
        `^The stream ${lost} of the event log is missing, while ${other} has events: .* nats stream add ${lost} `,
      ),
    });
    await streams.add({ name: lost, subjects: config.subjects });
    await ensure();
  },
);
