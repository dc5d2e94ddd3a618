// npm run bench -- rebuild [--units 10000] [--agents 20] [--seconds 15] [--json]
// How fast the memory is made again from the log, and what those notice who search and store meanwhile.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startStack } from '@mneme/local-stack';
import { natsAddress } from '@mneme/service-kit';
import { connect } from '@nats-io/transport-node';
import { jwtSecret } from './access/first-user.ts';
import { measureRebuild } from './rebuild/measure-rebuild.ts';
import { rebuildTable } from './rebuild/rebuild-report.ts';
import { createHttpClient } from './system/http-client.ts';
import { readOptions } from './system/options.ts';
import { withTemporaryFolder } from './system/running-system.ts';
import { startServices } from './system/service-processes.ts';
import { describeMachine } from './timing/machine.ts';

const { json, ...options } = readOptions({ units: 10_000, agents: 20, seconds: 15 });

const report = await withTemporaryFolder(async (folder) => {
  await using closing = new AsyncDisposableStack();
  const stack = await startStack({ dataDir: join(folder, 'servers') });
  closing.defer(() => stack.stop());
  const secrets = { JWT_SECRET: jwtSecret, SECRETS_KEY: randomBytes(32).toString('hex') };
  const settings = { ...stack.settings, ...secrets, LOG_LEVEL: 'warn' };
  const system = await startServices(['keys', 'memory-ingest', 'memory-query', 'webhook', 'gateway'], settings);
  closing.defer(() => system.stop());
  const connection = await connect(natsAddress(stack.natsUrl));
  closing.defer(() => connection.close());
  const client = createHttpClient(system.url);
  closing.defer(() => client.close());
  return { machine: describeMachine(), options, ...(await measureRebuild({ client, connection }, options)) };
});
console.log(json ? JSON.stringify(report, null, 2) : rebuildTable(report));
