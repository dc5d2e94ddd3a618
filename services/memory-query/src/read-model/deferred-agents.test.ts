import { agentKey } from '@mneme/contracts';
import type { StoredMessage } from '@mneme/event-store';
import { beforeEach, expect, it } from 'vitest';
import { type AppliedIn, type AppliedInDeps, createAppliedIn } from './deferred-agents.ts';

const [alice, foreign, newcomer] = [
  { space: 'public', agentId: 'alice' },
  { space: '7', agentId: 'alice' },
  { space: 'public', agentId: 'newcomer' },
];
/** Of the agents that have one. */
const rows = [alice, foreign].map((agent) => ({ _id: agentKey(agent), space: agent.space }));

let deferrals: { aggregate: string; from: number }[];
let log: Map<number, string>;
let readAt: number[];
let isLogAway: boolean;
let appliedIn: AppliedIn;

beforeEach(() => {
  [deferrals, log, readAt, isLogAway] = [[], new Map(), [], false];
  const find = ({ _id }: { _id: { $in: string[] } }) => ({
    toArray: async () => rows.filter((row) => _id.$in.includes(row._id)),
  });
  const readModel = { status: () => [{ deferrals }], contents: () => ({ collections: { agents: { find } } }) };
  const messageAt = async (sequence: number) => {
    readAt.push(sequence);
    if (isLogAway) throw new Error('The log is away');
    const text = log.get(sequence);
    return text === undefined ? undefined : ({ data: Buffer.from(text) } as unknown as StoredMessage);
  };
  appliedIn = createAppliedIn({ readModel: readModel as unknown as AppliedInDeps['readModel'], messageAt });
});

it('says nothing while all agents of the space are applied, whatever waits in other spaces', async () => {
  expect(await appliedIn('public')).toBeUndefined();
  deferrals = [{ aggregate: agentKey(foreign), from: 12 }];
  expect(await appliedIn('public')).toBeUndefined();
  expect(await appliedIn('7')).toBe('MEMORY:11');
});

it('is before the first event of the space that could not be applied', async () => {
  log.set(20, JSON.stringify(newcomer));
  deferrals = [
    { aggregate: agentKey(foreign), from: 12 },
    { aggregate: agentKey(alice), from: 31 },
    { aggregate: agentKey(newcomer), from: 20 },
  ];
  expect(await appliedIn('public')).toBe('MEMORY:19');
});

it('reads the event of an agent without a row, once', async () => {
  log.set(20, JSON.stringify(newcomer));
  deferrals = [{ aggregate: agentKey(newcomer), from: 20 }];
  for (let times = 0; times < 2; times += 1) expect(await appliedIn('public')).toBe('MEMORY:19');
  expect(readAt).toEqual([20]);
});

it.each([['no JSON'], ['null'], ['{}'], [undefined]])(
  'counts no agent whose space is unknown, and reads its event once: %s',
  async (data) => {
    if (data !== undefined) log.set(20, data);
    deferrals = [{ aggregate: agentKey(newcomer), from: 20 }];
    for (let times = 0; times < 2; times += 1) expect(await appliedIn('public')).toBeUndefined();
    expect(readAt).toEqual([20]);
  },
);

it('counts no agent whose event cannot be read now, and reads it again', async () => {
  deferrals = [
    { aggregate: agentKey(alice), from: 31 },
    { aggregate: agentKey(newcomer), from: 20 },
  ];
  isLogAway = true;
  expect(await appliedIn('public')).toBe('MEMORY:30');
  isLogAway = false;
  log.set(20, JSON.stringify(newcomer));
  expect(await appliedIn('public')).toBe('MEMORY:19');
});
