import { expect, it } from 'vitest';
import { TwoReleases } from '../testing/two-releases.ts';
import { leftMs } from './next-step.ts';

it.each(Array.from({ length: 30 }, (_, index) => index + 1))(
  'walk %i ends with a version that answers',
  async (seed) => {
    // The same at every run, so that a walk that fails can be repeated.
    let state = seed;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const world = new TwoReleases();
    const lose = (version: number | null) => Object.assign(world.made.get(version ?? 0) ?? {}, { isBroken: true });
    for (let steps = 0; steps < 40; steps += 1) {
      const one = world.instances[random(4)];
      if (!one) continue;
      const kind = random(8);
      if (kind < 3) one.isRunning = true;
      else if (kind < 5) one.end(kind === 3);
      else if (kind === 5) one.isDoomed = one.isRunning;
      else if (kind === 6) lose([world.roles.live, world.roles.target][random(4)] ?? null);
      await world.pass(1_000 * ([1, 2, 4, 8, 15, 25, 50, 200, 950][random(9)] ?? 0));
    }
    for (const each of world.instances) [each.isRunning, each.isDoomed] = [true, false];
    await world.pass(3 * leftMs);
    const { changes } = world;
    await world.pass(600_000);
    expect(world.changes, 'changes while both releases run').toBe(changes);

    // One release ends, after another start of it perhaps, in which it may have begun a version.
    const form = random(2) === 0 ? '1' : '2';
    const ended = world.instances.filter((each) => each.form !== form);
    for (const each of ended) each.end(random(2) === 0);
    for (const made of world.made.values()) if (made.form !== form) made.isBroken = random(2) === 0;
    for (const each of ended) each.isRunning = random(2) === 0;
    await world.pass(1_000 * random(30));
    for (const each of ended) each.end(random(2) === 0);
    await world.pass(1_000 * random(30));
    if (random(3) === 0) lose(world.instances.find((each) => each.form === form)?.answers ?? null);
    if (random(4) === 0) world.roles = { ...world.roles, target: 99_999 };
    await world.pass(leftMs + 120_000);
    const { live, target } = world.roles;
    expect([target, world.made.get(live ?? 0)]).toMatchObject([null, { form, isBroken: false, workMs: 0 }]);
    for (const each of world.instances) expect(each.answers).toBe(each.form === form ? live : null);
  },
);
