import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../system/eventually.ts';
import { createHttpClient, type HttpClient } from '../system/http-client.ts';
import { createProject, docker, hasEngine, type Project } from './engine.ts';
import { startWriter, writtenTexts } from './writer.ts';

const production = 'mneme-services:0.1.0';
const trial = 'mneme-test-trial';
const containers = ['gateway', 'memory-ingest', 'memory-query', 'keys', 'webhook', 'nats', 'mongodb', 'qdrant'];
const services = containers.slice(0, 5);
const ports = [28_080, 28_081];
const longMs = 900_000;

/** The images are built, which takes minutes: MNEME_TEST_STACK=containers and a container engine with compose. */
describe.skipIf(!hasEngine())('in containers (needs MNEME_TEST_STACK=containers and an engine)', () => {
  beforeAll(async () => {
    const build = ['build', '--quiet', '--file', 'deploy/Dockerfile'];
    await docker(...build, '--target', 'production', '--tag', production, '.');
    await docker(...build, '--tag', trial, '.');
  }, longMs);

  describe('the image of the services', () => {
    const inImage = (...command: string[]) =>
      docker('run', '--rm', '--read-only', '--network', 'none', production, ...command);

    it('holds no tests, no package manager, no compiler and no cache, and does not run as root', async () => {
      const search =
        "find / -xdev -name '*.test.ts' -o -xdev -type d -name testing -path '/app/*' -not -path '*/node_modules/*'";
      expect(await inImage('sh', '-c', `${search} 2>/dev/null || true`)).toBe('');
      expect(await inImage('sh', '-c', 'command -v npm pnpm yarn tsc mongod nats-server qdrant || true')).toBe('');
      expect(
        await inImage('sh', '-c', 'ls -d /app/node_modules/.pnpm/typescript* /root/.npm 2>/dev/null || true'),
      ).toBe('');
      expect(await inImage('id', '-u')).toBe('1000');
    });

    it.each([
      ['gateway', /JWT_SECRET or JWT_JWKS_URL/],
      ['webhook', /SECRETS_KEY: is needed/],
    ])('says which secret %s lacks', async (name, message) => {
      const refused = inImage('node', `services/${name}/src/main.ts`);
      await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    });

    it('makes settings with secrets', async () => {
      const settings = await inImage('mneme', 'secrets');
      expect(settings).toMatch(/^NATS_PASSWORD=[\da-f]{64}$/m);
    });
  });

  describe('the image for a trial', () => {
    it('needs no setting, prints a token, keeps its data and ends in time', { timeout: longMs }, async () => {
      const [name, port] = [`${trial}-run`, '28090'];
      const start = () =>
        docker(
          'run',
          '--detach',
          '--name',
          name,
          '--read-only',
          '--tmpfs',
          '/tmp',
          '--publish',
          `127.0.0.1:${port}:8080`,
          '--volume',
          `${name}:/data`,
          trial,
        );
      const printed = () =>
        eventually('it has started', async () => /eyJ\S+/.exec(await docker('logs', name))?.[0], 120_000);
      try {
        await start();
        const http = createHttpClient(`http://127.0.0.1:${port}`);
        const token = await printed();
        expect((await http.get('/api/list?agent_id=demo')).status).toBe(401);
        await storeAndFind(http.as(token));
        const begin = performance.now();
        await docker('stop', '--time', '30', name);
        expect(performance.now() - begin).toBeLessThan(25_000);
        await docker('rm', name);
        await start();
        await printed();
        expect((await http.as(token).get('/api/list?agent_id=demo')).body.total).toBe(1);
      } finally {
        await docker('rm', '--force', name);
        await docker('volume', 'rm', '--force', name);
      }
    });
  });

  describe('docker compose up', () => {
    let project: Project;
    let settings: string;
    beforeAll(async () => {
      project = createProject();
      const secrets = await docker('run', '--rm', production, 'mneme', 'secrets');
      settings = `${secrets.replace(/^PORT=.*/m, `PORT=${ports.join('-')}`)}\n`;
      return () => project.remove();
    });

    const secretNames = secretsOf(readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8'));
    it.each(secretNames)('refuses to start without %s, and names it', async (name) => {
      project.setEnvironment(settings.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=`));
      await expect(project.compose('config')).rejects.toMatchObject({
        stderr: expect.stringContaining(`${name} is missing`),
      });
    });

    it('loses nothing where each container is killed, all are made anew, and there are two of each service', {
      timeout: longMs,
    }, async () => {
      project.setEnvironment(settings);
      const up = () =>
        project.compose('up', '--detach', '--wait', ...services.flatMap((name) => ['--scale', `${name}=2`]));
      await project.compose('up', '--detach', '--wait');
      const token = await project.compose('exec', '-T', 'gateway', 'mneme', 'token', '--user', '1');
      const [http, other] = ports.map((port) => createHttpClient(`http://127.0.0.1:${port}`).as(token)) as [
        HttpClient,
        HttpClient,
      ];
      const first = await eventually('the gateway answers', () => firstThatAnswers([http, other]));
      await storeAndFind(first);

      await up();
      const writer = startWriter([http, other]);
      for (const name of containers) {
        const before = writer.acknowledged();
        await project.compose('kill', name);
        await up();
        await eventually(
          `memories are stored after ${name} was killed`,
          () => writer.acknowledged() > before + 3,
          120_000,
        );
      }
      const texts = await writer.stop();
      expect(await writtenTexts(http)).toEqual(texts.toSorted());

      await project.compose('down');
      await up();
      expect(await writtenTexts(http)).toEqual(texts.toSorted());
    });
  });
});

/** The names of empty settings in the first part of `.env.example`. */
function secretsOf(example: string): readonly string[] {
  const [, part = ''] = example.split('# ---- ');
  return [...part.matchAll(/^(\w+)=$/gm)].map(([, name = '']) => name);
}

async function firstThatAnswers(clients: readonly HttpClient[]): Promise<HttpClient> {
  return Promise.any(
    clients.map(async (http) => {
      if ((await http.get('/healthz')).status !== 200) throw new Error('It does not answer.');
      return http;
    }),
  );
}

async function storeAndFind(http: HttpClient): Promise<void> {
  const items = [{ content: 'Alice moved to Lisbon.' }];
  expect((await http.post('/api/memories/batch', { agent_id: 'demo', items })).status).toBe(200);
  const { body } = await http.post('/api/search', { agent_id: 'demo', query: 'Where does Alice live?' });
  expect(body.results[0].text).toContain('Lisbon');
}
