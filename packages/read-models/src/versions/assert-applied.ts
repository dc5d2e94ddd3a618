import { type Log, messageAt } from '@mneme/event-store';
import type { LaneScheme } from '../definition.ts';
import { behind } from '../errors.ts';
import type { Deferral } from '../lanes/lane.ts';

interface WithDeferrals {
  status(): { readonly deferrals: readonly Deferral[] };
  deferralOf(aggregate: string, sequence?: number): Deferral | undefined;
}

/**
 * Makes sure that one event was applied, and is not waiting with its aggregate; the log is asked where it stands only if
 * some aggregate waits.
 * @throws WireError 503 `READ_MODEL_BEHIND` when it waits
 */
export async function assertApplied(
  run: WithDeferrals,
  { log, lanes }: { readonly log: Log; readonly lanes: LaneScheme },
  sequence: number,
): Promise<void> {
  if (!run.status().deferrals.some(({ from }) => from <= sequence)) return;
  const message = await messageAt(log, sequence);
  const aggregate = message && (await lanes.aggregateOf(message));
  const deferral = aggregate === undefined ? undefined : run.deferralOf(aggregate, sequence);
  if (deferral) throw deferred(deferral);
}

export function deferred({ from, type }: Deferral) {
  return behind(`Event ${from} (${type ?? 'unreadable'}) could not be applied here, and waits for an operator`);
}
