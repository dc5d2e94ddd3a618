// npm run bench -- webhooks [--rounds 5] [--deliveries 10000] [--at-once 64] [--rate 1000] [--seconds 60] [--apart] [--json]
// How many deliveries a webhook takes and how fast, beside the least that keeps them durably, and when they are rows.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startStack } from '@mneme/local-stack';
import { natsAddress } from '@mneme/service-kit';
import { connect } from '@nats-io/transport-node';
import { jwtSecret } from './access/first-user.ts';
import { forkServer } from './system/fork-server.ts';
import { createHttpClient } from './system/http-client.ts';
import { readOptions } from './system/options.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';
import { startServices } from './system/service-processes.ts';
import { describeMachine } from './timing/machine.ts';
import { measureWebhooks } from './webhooks/measure-webhooks.ts';
import { webhooksTable } from './webhooks/webhooks-report.ts';

const {
  json,
  rounds,
  deliveries,
  'at-once': atOnce,
  rate: perSecond,
  seconds,
  apart,
} = readOptions({ rounds: 5, deliveries: 10_000, 'at-once': 64, rate: 1_000, seconds: 60 }, ['apart']);
const options = { rounds, deliveries, atOnce, perSecond, seconds, apart };

const report = await withTemporaryFolder(async (folder) => {
  await using closing = new AsyncDisposableStack();
  const stack = await startStack({ dataDir: join(folder, 'servers') });
  closing.defer(() => stack.stop());
  // Far above what is measured: this is about speed and not about the limit.
  const settings = { ...stack.settings, JWT_SECRET: jwtSecret, WEBHOOK_RATE_LIMIT: '1000000' };
  const system = apart
    ? await startServices(['keys', 'webhook', 'gateway'], { ...settings, SECRETS_KEY: randomBytes(32).toString('hex') })
    : await startSystem(join(folder, 'services'), settings);
  closing.defer(() => system.stop());
  const floor = await forkServer(join(import.meta.dirname, 'webhooks/floor-server.ts'), { NATS_URL: stack.natsUrl });
  closing.defer(() => floor.stop());
  const connection = await connect(natsAddress(stack.natsUrl));
  closing.defer(() => connection.close());
  const client = createHttpClient(system.url);
  closing.defer(() => client.close());
  return { machine: describeMachine(), options, ...(await measureWebhooks({ client, floor, connection }, options)) };
});
console.log(json ? JSON.stringify(report, null, 2) : webhooksTable(report));
