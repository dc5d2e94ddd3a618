import { type Endpoint, keys, readModelEndpoints, WireError } from '@mneme/contracts';
import type { MemberCheck } from '@mneme/event-store';
import { ConnectionLostError } from '@mneme/service-kit';
import { expect, it } from 'vitest';
import type { OperatedSystem } from './operated-system.ts';
import { rebuildReadModel, rebuildService } from './rebuild.ts';

const unavailable = { status: 503, code: 'UNAVAILABLE', message: 'out of reach' } as const;
const away = () => new WireError(unavailable, { cause: new ConnectionLostError('It was killed') });
const memory = readModelEndpoints('memory-query');

/** A system in which the requests to an endpoint have these outcomes, one after the other; the last one again and again. */
function systemWith(
  outcomes: readonly (readonly [Endpoint, readonly unknown[]])[],
  unreadable: readonly number[] | null = [],
  members: readonly MemberCheck[] = [],
) {
  const asked: string[] = [];
  const left = new Map(outcomes.map(([{ subject }, of]) => [subject, [...of]]));
  const call = async ({ subject, name }: Endpoint) => {
    const of = left.get(subject);
    if (!of) throw away();
    asked.push(name);
    const outcome = of.length > 1 ? of.shift() : of[0];
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const checkLog = async () =>
    unreadable === null ? undefined : { head: 9, read: 9 - unreadable.length, unreadable, members };
  return { asked, system: { call, checkLog } as unknown as OperatedSystem };
}

const live = (version: number) => ({
  readModels: [{ name: 'memory', reason: null, versions: [{ name: 'memory', version }] }],
});

/** Of a rebuild that nothing is in the way of. */
const rebuilt = [
  [memory.status, [live(1)]],
  [memory.rebuild, [{ version: 2, rows: 7 }]],
] as const;

it('a rebuild whose service was killed before it had begun is asked for again', async () => {
  const { system, asked } = systemWith([
    [memory.status, [live(1)]],
    [memory.rebuild, [away(), { version: 2, rows: 7 }]],
  ]);
  expect(await rebuildReadModel(system, 'memory')).toEqual({ version: 2, rows: 7 });
  expect(asked.filter((name) => name === memory.rebuild.name)).toHaveLength(2);
});

it('a rebuild that was done when its service is there again is not begun anew', async () => {
  const { system, asked } = systemWith([
    [memory.status, [live(1), live(1), away(), live(2)]],
    [memory.rebuild, [away()]],
  ]);
  expect(await rebuildReadModel(system, 'memory')).toEqual({ version: 2 });
  expect(asked.filter((name) => name === memory.rebuild.name)).toHaveLength(1);
});

it('a service that is rebuilt at once is asked again as well', async () => {
  const report = { apiKeys: { records: 1 } };
  const { system } = systemWith([
    [readModelEndpoints('keys').status, [{ readModels: [] }]],
    [keys.rebuild, [away(), report]],
  ]);
  expect(await rebuildService(system, 'keys')).toBe(report);
});

it.each([
  ['refuses', new WireError({ status: 409, code: 'CONFLICT', message: 'The rebuild was given up' })],
  ['cannot do without a store', new WireError(unavailable)],
])('what a service %s is not asked for again', async (_what, refusal) => {
  const { system, asked } = systemWith([
    [memory.status, [live(1)]],
    [memory.rebuild, [refusal]],
  ]);
  await expect(rebuildReadModel(system, 'memory')).rejects.toBe(refusal);
  expect(asked.filter((name) => name === memory.rebuild.name)).toHaveLength(1);
});

it('nothing is rebuilt without events that cannot be read, unless that is accepted', async () => {
  const { system, asked } = systemWith(rebuilt, [4, 5]);
  const refusal = { status: 409, message: expect.stringContaining('2 of the events of MEMORY cannot be read') };
  await expect(rebuildReadModel(system, 'memory')).rejects.toMatchObject(refusal);
  await expect(rebuildService(system, 'memory')).rejects.toMatchObject(refusal);
  expect(asked).not.toContain(memory.rebuild.name);
  expect(await rebuildService(system, 'memory', { isLossAccepted: true })).toEqual({
    memory: { version: 2, rows: 7 },
    unreadableEvents: 2,
  });
});

it('nothing is rebuilt while one server of several lacks events, unless that is accepted', async () => {
  const lacked = [[], [[4, 5]], [[5, 6]]] as const;
  const members = lacked.map((lacking, n) => ({ server: `nats-${n}`, lacking, isUnchecked: false }));
  const { system, asked } = systemWith(rebuilt, [], members);
  const found = /^nats-1 lacks 2 of the events of MEMORY, the first one at 4; nats-2 lacks .* let it catch up/;
  const refusal = { status: 409, message: expect.stringMatching(found) };
  await expect(rebuildReadModel(system, 'memory')).rejects.toMatchObject(refusal);
  await expect(rebuildService(system, 'memory')).rejects.toMatchObject(refusal);
  expect(asked).not.toContain(memory.rebuild.name);
  expect(await rebuildService(system, 'memory', { isLossAccepted: true })).toMatchObject({ unreadableEvents: 3 });
});

it('a server that is away or behind keeps nothing from being rebuilt', async () => {
  const { system } = systemWith(rebuilt, [], [{ server: 'nats-2', lacking: [], isUnchecked: true }]);
  expect(await rebuildReadModel(system, 'memory')).toEqual({ version: 2, rows: 7 });
});

it('nothing is rebuilt from a stream that is missing', async () => {
  const { system, asked } = systemWith([[memory.status, [live(1)]]], null);
  const refusal = { status: 409, message: expect.stringMatching(/^There is no stream MEMORY: .* Restore the log/) };
  await expect(rebuildReadModel(system, 'memory')).rejects.toMatchObject(refusal);
  await expect(rebuildService(system, 'memory')).rejects.toMatchObject(refusal);
  expect(asked).not.toContain(memory.rebuild.name);
});
