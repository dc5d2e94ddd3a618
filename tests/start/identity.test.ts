import type { MeReply } from '@mneme/contracts';
import { describe, expect, test } from 'vitest';
import { type NodeProcess, startNode } from '../system/node-process.ts';
import { newDataDir, startCommand } from '../system/start-command.ts';
import { jwtSecret, tokenOf } from '../system/tokens.ts';

const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/;
const firstMe = {
  user_id: 1,
  spaces: [{ id: 1, name: 'Personal', type: 'personal', projects: [{ id: 1, name: 'Default' }] }],
};

async function printedToken(command: ReturnType<typeof startCommand>): Promise<string> {
  await command.printed(/Ctrl-C/);
  return token.exec(command.output())?.[0] ?? '';
}

test('a start prints a token of user 1, who has a space and a project; started again, it and they still hold', async () => {
  const dataDir = await newDataDir();
  const first = startCommand(dataDir);
  const http = await first.ready();
  const credential = await printedToken(first);
  expect(await http.as(credential).get<MeReply>('/api/v3/me')).toMatchObject({ status: 200, body: firstMe });
  const { body } = await http.as(credential).post('/api/v3/api-keys', { name: 'Mine', project_id: 1 });
  await first.kill('SIGTERM');
  const second = startCommand(dataDir);
  const again = await second.ready();
  for (const each of [credential, await printedToken(second)]) {
    expect((await again.as(each).get('/api/v3/me')).body).toEqual(firstMe);
  }
  expect((await again.as(body.key).get('/api/list')).status).toBe(200);
  expect(first.output() + second.output()).not.toContain(body.key);
});

test('with MEMORY_AUTH=required a local start asks for a credential, which its token is', async () => {
  const command = startCommand(await newDataDir(), { MEMORY_AUTH: 'required' });
  const http = await command.ready();
  expect((await http.get('/api/list')).status).toBe(401);
  expect((await http.as(await printedToken(command)).get('/api/list')).status).toBe(200);
});

test('JWT_SECRET is used instead of one of its own', async () => {
  const command = startCommand(await newDataDir(), { JWT_SECRET: jwtSecret });
  const http = await command.ready();
  for (const each of [tokenOf(1), await printedToken(command)]) {
    expect((await http.as(each).get('/api/v3/me')).body).toEqual(firstMe);
  }
  expect(command.output()).not.toContain(jwtSecret);
});

test('mneme token makes a token for any user of the local start', async () => {
  const dataDir = await newDataDir();
  const http = await startCommand(dataDir).ready();
  const made = mneme(['token', '--user', '42', '--days', '2'], { DATA_DIR: dataDir });
  expect((await made.exited).code).toBe(0);
  const { status, body } = await http.as(made.output().trim()).get<MeReply>('/api/v3/me');
  expect([status, body.user_id]).toEqual([200, 42]);
});

test.each(['0', '1e3', ''])('mneme token refuses the user %j in one sentence', async (user) => {
  const refused = mneme(['token', `--user=${user}`], { JWT_SECRET: jwtSecret });
  expect((await refused.exited).code).toBeGreaterThan(0);
  expect(refused.output()).not.toMatch(token);
});

function mneme(parameters: readonly string[], environment: Readonly<Record<string, string>>): NodeProcess {
  return startNode({ entry: 'packages/cli/src/main.ts', parameters, environment });
}

describe('the gateway alone refuses to start', () => {
  const address = 'http://127.0.0.1:1/jwks';
  test.each([
    ['without a way to verify anyone', { MEMORY_AUTH: 'required' }, ['JWT_SECRET', 'JWT_JWKS_URL']],
    ['with a secret of 31 bytes', { JWT_SECRET: 's'.repeat(31) }, ['JWT_SECRET', '32']],
    ['with an empty secret', { MEMORY_AUTH: 'required', JWT_SECRET: '' }, ['JWT_SECRET', 'JWT_JWKS_URL']],
    ['with two ways at once', { JWT_SECRET: jwtSecret, JWT_JWKS_URL: address }, ['JWT_SECRET', 'JWT_JWKS_URL']],
    ['with an address that is none', { JWT_JWKS_URL: 'file:///etc/passwd' }, ['JWT_JWKS_URL']],
  ])('%s, and says what is missing', async (_name, environment, words) => {
    const gateway = startNode({ entry: 'services/gateway/src/main.ts', environment: { PORT: '0', ...environment } });
    expect((await gateway.exited).code).toBeGreaterThan(0);
    for (const word of words) expect(gateway.output()).toContain(word);
    for (const secret of Object.values(environment).filter((value) => value.length > 30)) {
      expect(gateway.output()).not.toContain(secret);
    }
  });

  test.each([{ JWT_SECRET: 's'.repeat(31) }, { JWT_SECRET: jwtSecret, JWT_JWKS_URL: address }])(
    'and so does a local start',
    async (environment) => {
      const command = startCommand(await newDataDir(), environment);
      expect((await command.exited).code).toBeGreaterThan(0);
      expect(command.errors().trim().split('\n')).toHaveLength(1);
      expect(command.errors()).toContain('JWT_SECRET');
    },
  );
});
