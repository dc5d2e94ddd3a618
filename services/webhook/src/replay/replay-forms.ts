import type { ReplayReply } from '@mneme/contracts';
import type { StoredReplay } from '../webhook-rows/rows.ts';

/** How far the newest replay is; of none, everything is done. */
export function toReplay(replay: StoredReplay | null): ReplayReply {
  const { calls, processed, failed, isQueued } = replay ?? { calls: 0, processed: 0, failed: 0, isQueued: true };
  const worked = processed + failed;
  const is_done = isQueued && worked >= calls;
  return {
    calls,
    processed,
    failed,
    is_done,
    message: messageOf({ calls, worked, is_done, isThere: replay !== null }),
  };
}

function messageOf(progress: { calls: number; worked: number; is_done: boolean; isThere: boolean }): string {
  const { calls, worked, is_done, isThere } = progress;
  if (!isThere) return 'No calls were replayed yet';
  return is_done ? `${calls} calls were worked off once more` : `${worked} of ${calls} calls are worked off once more`;
}
