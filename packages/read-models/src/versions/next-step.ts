/** What an instance knows of a version that has a role. */
export interface KnownVersion {
  /**
   * Whose it is: of the form that this release wants; of another one that it can answer from as well; of another release; or
   * removed, so that nothing is written down of it any more.
   */
  readonly kind: 'own' | 'usable' | 'foreign' | 'removed';
  /** Why it does not hold what it should, if this instance has it at work and has found that. */
  readonly mismatch?: string | undefined;
  /** For how long no instance was seen that makes it or has it at work, in milliseconds. 0 of one that this release can use. */
  readonly unusedMs: number;
}

/** What an instance knows when it decides which version is built next. */
export interface Situation {
  readonly live: KnownVersion | null;
  readonly target: KnownVersion | null;
  readonly previous: KnownVersion | null;
  /** What it answers from, which may be the version before the live one; null if it has not answered yet. */
  readonly answering: Pick<KnownVersion, 'mismatch'> | null;
}

/** What becomes of the version that is being built. `because` says what keeps the read model from answering, if it does not. */
export type Step =
  | { readonly type: 'wait'; readonly because?: string }
  | { readonly type: 'build'; readonly reason: string }
  | { readonly type: 'give up target' }
  | { readonly type: 'take back previous' };

/** Instances of another release that were not seen for this time have ended, or are being restarted, in milliseconds. */
export const endedMs = 10_000;
/** After this time they do not come back, in milliseconds. */
export const leftMs = 15 * 60_000;

/**
 * Decides which version is built next. Instances of two releases run beside each other during an upgrade, and each decides for
 * itself: neither replaces what the other builds, or has built, while the other is there.
 */
export function nextStep(situation: Situation): Step {
  const { live, target } = situation;
  if (target?.mismatch !== undefined) return { type: 'build', reason: target.mismatch };
  if (target?.kind === 'own') return { type: 'wait' };
  if (target && isInVain(target, live)) return { type: 'give up target' };
  // Each would put its own in the place of the other's, and none would be finished.
  if (target?.kind === 'foreign' && target.unusedMs === 0)
    return { type: 'wait', because: 'is being built by another release' };
  return stepForLive(situation);
}

/** Whether no instance needs a target any more that this one did not want. What is erased would stay in it. */
function isInVain(target: KnownVersion, live: KnownVersion | null): boolean {
  switch (target.kind) {
    case 'removed':
      return true;
    case 'usable':
      return live?.kind === 'own';
    default:
      return target.unusedMs >= leftMs;
  }
}

function stepForLive(situation: Situation): Step {
  const { live, answering } = situation;
  if (!live) return { type: 'build', reason: answering?.mismatch ?? 'There is none yet' };
  switch (live.kind) {
    case 'own': {
      const reason = live.mismatch ?? answering?.mismatch;
      return reason === undefined ? { type: 'wait' } : { type: 'build', reason };
    }
    // A version that was kept may lack what was stored for the other form meanwhile, such as vectors of its model.
    case 'usable':
      return { type: 'build', reason: 'It is to have another form' };
    default:
      return answering
        ? stepAfterReplacement(situation, live)
        : takeBackOrBuild(situation, 'This release has another form of it');
  }
}

/**
 * Another release has replaced the version that this instance answers from. It goes on answering while it is intact, and does
 * not replace the other's again unless the other has ended.
 */
function stepAfterReplacement(situation: Situation, live: KnownVersion): Step {
  const because = 'was replaced by that of another release';
  if (situation.target?.kind === 'foreign' || live.unusedMs < endedMs) return { type: 'wait', because };
  if (canBeTakenBack(situation.previous)) return { type: 'take back previous' };
  if (live.unusedMs < leftMs) return { type: 'wait', because };
  return { type: 'build', reason: 'No instance of the release runs that has replaced it' };
}

/** To let a version catch up that was kept, as after a downgrade, is faster than to build another. */
function takeBackOrBuild({ previous }: Situation, reason: string): Step {
  return canBeTakenBack(previous) ? { type: 'take back previous' } : { type: 'build', reason };
}

function canBeTakenBack(previous: KnownVersion | null): boolean {
  return previous?.kind === 'own' && previous.mismatch === undefined;
}
