import type { Deferral } from '../lanes/lane.ts';

/**
 * What a version is doing: `catching-up` with the log, `live` (up to date and kept so), `failed` (some lane cannot be
 * written at the moment), `rebuilding` (it is being filled to replace another), `lost` (its log or a store is not the one
 * that it was made with).
 */
export type VersionState = (typeof versionStates)[number];
export const versionStates = ['catching-up', 'live', 'failed', 'rebuilding', 'lost'] as const;

export interface LaneStatus {
  readonly lane: number;
  readonly position: number;
  /** How long ago the oldest event was made that the lane has not applied, in seconds; 0 when nothing waits. */
  readonly lagSeconds: number;
  /** Events that wait in this instance. */
  readonly queued: number;
  readonly failuresInARow: number;
  /** Why the lane cannot be written at the moment. */
  readonly reason: string | null;
  readonly deferred: number;
}

export interface VersionStatus {
  readonly name: string;
  readonly version: number;
  readonly form: string;
  readonly state: VersionState;
  readonly reason: string | null;
  /** The last sequence of the log, as this instance knows it. */
  readonly head: number;
  /** Of the lane that is furthest behind, among those that this instance holds. */
  readonly position: number;
  /** That of the lane that is furthest behind. */
  readonly lagSeconds: number;
  readonly lanes: readonly LaneStatus[];
  readonly deferrals: readonly Deferral[];
}
