import { atFullLength } from '@mneme/local-stack/testing';
import { expect, test } from 'vitest';
import { startNode } from '../system/node-process.ts';
import { processesIn } from '../system/processes-in.ts';
import { newDataDir, startCommand } from '../system/start-command.ts';
import { jwtSecret } from '../system/tokens.ts';

test('bad settings are one clear sentence that names all of them, before anything is started', async () => {
  const dataDir = await newDataDir();
  const environment = {
    PORT: '70000',
    NATS_URL: 'not an address',
    MONGODB_URL: 'postgres://somewhere',
    QDRANT_URL: 'somewhere',
    LOG_LEVEL: 'loud',
    MEMORY_AUTH: 'maybe',
    SYNC_TIMEOUT_MS: '1e3',
    JWT_SECRET: 's'.repeat(31),
  };
  const command = startCommand(dataDir, { environment });
  expect((await command.exited).code).toBeGreaterThan(0);
  expect(command.errors().trim().split('\n')).toHaveLength(1);
  for (const name of Object.keys(environment)) expect(command.errors()).toContain(`${name}:`);
  expect(command.errors()).not.toContain(environment.JWT_SECRET);
  expect(await processesIn(dataDir)).toEqual([]);
});

test.runIf(atFullLength)(
  'a start whose NATS may store no more says so, and the next one without that limit works',
  async () => {
    const dataDir = await newDataDir();
    const first = startCommand(dataDir);
    await first.ready();
    await first.kill('SIGTERM');
    const limited = startCommand(dataDir, { environment: { NATS_MAX_FILE_STORE: '1KB' } });
    expect((await limited.exited).code).toBeGreaterThan(0);
    expect(limited.errors().trim()).toMatch(
      /^Mneme could not start\. NATS may store no more than 1 MiB.* NATS_MAX_FILE_STORE .*storage-nearly-full\.md\.$/,
    );
    await startCommand(dataDir).ready();
  },
);

test('the gateway alone does not start with bad settings, says what is wrong and no secret', async () => {
  const environment = { PORT: '0', JWT_SECRET: jwtSecret, JWT_JWKS_URL: 'http://127.0.0.1:1/jwks' };
  const gateway = startNode({ entry: 'services/gateway/src/main.ts', environment });
  expect((await gateway.exited).code).toBeGreaterThan(0);
  for (const word of ['JWT_SECRET', 'JWT_JWKS_URL']) expect(gateway.output()).toContain(word);
  expect(gateway.output()).not.toContain(jwtSecret);
});
