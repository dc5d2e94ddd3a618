import { describeMachine, type Machine } from '@mneme/downloads';
import { describe, expect, test } from 'vitest';
import type { ServerName } from '../servers/server.ts';
import { pinnedBinaries } from './pinned.ts';
import { planBinaries } from './plan-binaries.ts';

const all = Object.values(pinnedBinaries);
const names = Object.keys(pinnedBinaries) as ServerName[];

function machine(name: string, hasGlibc = false): Machine {
  const [platform, arch] = name.split('-');
  return { platform: platform as Machine['platform'], arch: arch as Machine['arch'], hasGlibc };
}

const linux = machine('linux-x64', true);
const linuxArm = machine('linux-arm64', true);
const alpine = machine('linux-x64');
const alpineArm = machine('linux-arm64');
const mac = machine('darwin-arm64');
const intelMac = machine('darwin-x64');
const windows = machine('win32-x64');
const freeBsd = machine('freebsd-x64');

const onPath = (servers: readonly ServerName[]) => new Map(servers.map((server) => [server, `/usr/bin/${server}`]));

function outcome(on: Machine, servers: readonly ServerName[], wanted = all): string {
  const plan = planBinaries(on, wanted, onPath(servers));
  return 'refusal' in plan ? plan.refusal : `fetch ${plan.fetch.map(({ file }) => file).join(', ') || 'nothing'}`;
}

const onlyMongod = /, put mongod 8\.0 or newer \([^,]*\) on PATH, or/;
const brew =
  /`brew install nats-server`.*`brew install mongodb\/brew\/mongodb-community`.*qdrant\/releases.*on PATH, or/;

describe.each<[Machine, RegExp, RegExp]>([
  [linux, /^fetch nats-server, mongod, qdrant$/, /^fetch mongod$/],
  [linuxArm, /; on linux-arm64, put nats-server .*`nats-server`.*`mongodb-org-server`.*qdrant/, onlyMongod],
  [alpine, /; on linux-x64 without glibc, put nats-server .*MONGODB_URL.*docker compose up/, onlyMongod],
  [alpineArm, /; on linux-arm64 without glibc, put nats-server .*MONGODB_URL.*docker compose up/, onlyMongod],
  [
    mac,
    brew,
    /on darwin-arm64, put mongod 8.0 or newer \(`brew install mongodb\/brew\/mongodb-community`\) on PATH, or/,
  ],
  [intelMac, brew, onlyMongod],
  [windows, /^Windows cannot .*docker compose up.*WSL 2/, /^Windows cannot/],
  [freeBsd, /; on freebsd-x64, put nats-server .*docker compose up/, onlyMongod],
])('%j', (on, withNothing, withoutMongod) => {
  test('with nothing installed', () => expect(outcome(on, [])).toMatch(withNothing));
  test('without mongod', () => expect(outcome(on, ['nats', 'qdrant'])).toMatch(withoutMongod));
  test('says it in one sentence', () => expect(outcome(on, [])).not.toMatch(/\. |\n/));
  test('with everything installed', () => {
    if (on.platform === 'win32') expect(outcome(on, names)).toMatch(/^Windows cannot/);
    else expect(outcome(on, names)).toBe('fetch nothing');
  });
  test('with servers that run elsewhere', () => expect(outcome(on, [], [])).toBe('fetch nothing'));
});

test('machines are named as npm names them', () => {
  expect([linux, alpine, mac].map(describeMachine)).toEqual(['linux-x64', 'linux-x64 without glibc', 'darwin-arm64']);
});
