import type { Picture } from './trace.ts';

/** What spread from one unit to another in a step. */
export interface Spread {
  readonly from: string;
  readonly to: string;
  readonly type: Picture['steps'][number]['units'][number]['from'][number]['type'];
  readonly amount: number;
}

export function spreadsOf({ steps }: Picture, step: number): Spread[] {
  const units = steps[step]?.units ?? [];
  return units.flatMap(({ id, from }) =>
    from.map((source) => ({ from: source.id, to: id, type: source.type, amount: source.amount })),
  );
}

/** The activation of a unit after a step, counted from 0. */
export function activationAfter({ steps }: Picture, step: number, unitId: string): number {
  return steps
    .slice(0, step + 1)
    .reduce((sum, { units }) => sum + (units.find(({ id }) => id === unitId)?.added ?? 0), 0);
}
