// npm run bench -- keys [--rounds 60] [--requests 300] [--concurrency 16] [--json]
// What a key or a token costs: the same trivial read with and without one, in turns, on one system.
import { join } from 'node:path';
import { startStack } from '@mneme/local-stack';
import { natsAddress } from '@mneme/service-kit';
import { connect } from '@nats-io/transport-node';
import { jwtSecret } from './access/first-user.ts';
import { measureKeyFloor } from './access/key-floor.ts';
import { keysTable } from './access/keys-report.ts';
import { measureKeys } from './access/measure-keys.ts';
import { createHttpClient } from './system/http-client.ts';
import { readOptions } from './system/options.ts';
import { startSystem, withTemporaryFolder } from './system/running-system.ts';
import { describeMachine } from './timing/machine.ts';

const { json, ...options } = readOptions({ rounds: 60, requests: 300, concurrency: 16 });
const floorRounds = 2_000;

const report = await withTemporaryFolder(async (folder) => {
  const stack = await startStack({ dataDir: join(folder, 'servers') });
  try {
    const system = await startSystem(join(folder, 'services'), { ...stack.settings, JWT_SECRET: jwtSecret });
    const client = createHttpClient(system.url);
    const connection = await connect(natsAddress(stack.natsUrl));
    try {
      const callers = await measureKeys(client, options);
      const floor = await measureKeyFloor(connection, floorRounds);
      return { machine: describeMachine(), ...options, callers, floor };
    } finally {
      await connection.close();
      client.close();
      await system.stop();
    }
  } finally {
    await stack.stop();
  }
});
console.log(json ? JSON.stringify(report, null, 2) : keysTable(report));
