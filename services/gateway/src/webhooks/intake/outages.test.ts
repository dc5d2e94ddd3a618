import { expect, it } from 'vitest';
import { useGateway } from '../../testing/gateway-fixture.ts';

const fixture = useGateway();

it('while the log is unavailable a delivery gets 503, never 200; afterwards it is accepted, and none is lost', async () => {
  const webhook = await fixture.webhooks.issue();
  const send = (n: number) => fixture.http('POST', webhook.path, { raw: JSON.stringify({ n }) });
  expect((await send(0)).status).toBe(200);
  await fixture.stack.servers.nats.kill('SIGKILL');
  const refused = await Promise.all([1, 2, 3].map(send));
  for (const { status, body, headers } of refused) {
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '2']);
  }
  await fixture.stack.servers.nats.start();
  await expect.poll(async () => (await send(4)).status, { timeout: 20_000, interval: 200 }).toBe(200);
  const bodies = async () =>
    (await fixture.webhooks.deliveriesOf(webhook)).map(({ data }) => Buffer.from(data as Uint8Array).toString());
  const ends = expect.arrayContaining(['{"n":0}', '{"n":4}']);
  await expect.poll(() => bodies().catch(() => []), { timeout: 20_000, interval: 200 }).toEqual(ends);
});
