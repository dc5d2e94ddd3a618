import { describe, expect, it } from 'vitest';
import { endedMs, type KnownVersion, leftMs, nextStep, type Situation } from './next-step.ts';

const own: KnownVersion = { kind: 'own', unusedMs: 0 };
const usable: KnownVersion = { kind: 'usable', unusedMs: 0 };
const broken = { mismatch: 'The log is another one' };
const intact = {};
const foreign = (unusedMs = 0): KnownVersion => ({ kind: 'foreign', unusedMs });
const removed = (unusedMs = 0): KnownVersion => ({ kind: 'removed', unusedMs });

const nothing: Situation = { live: null, target: null, previous: null, answering: null };
const answersOwn: Situation = { ...nothing, live: own, answering: intact };
/** Another release has put its own version in the place of that from which this instance answers. */
const isReplaced = (unusedMs: number): Situation => ({ ...nothing, live: foreign(unusedMs), answering: intact });

const waits = { type: 'wait' };
const builds = (reason: string) => ({ type: 'build', reason });
const givesUp = { type: 'give up target' };
const takesBack = { type: 'take back previous' };
const otherBuilds = { type: 'wait', because: 'is being built by another release' };
const otherAnswers = { type: 'wait', because: 'was replaced by that of another release' };

type Case = readonly [string, Situation, object];

function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    it.each(cases)('%s', (_, situation, step) => expect(nextStep(situation)).toEqual(step));
  });
}

table('one release alone', [
  ['a first version is built', nothing, builds('There is none yet')],
  ['one that is built is waited for', { ...nothing, target: own }, waits],
  ['one that answers is enough', answersOwn, waits],
  ['beside it nothing else is begun while one is built', { ...answersOwn, target: own }, waits],
  ['one that is not opened yet is waited for', { ...answersOwn, answering: null }, waits],
  ['one that may not answer is built anew', { ...answersOwn, answering: broken }, builds(broken.mismatch)],
  ['so is one that is lost before it answers', { ...answersOwn, live: { ...own, ...broken } }, builds(broken.mismatch)],
  ['once', { ...answersOwn, answering: broken, target: own }, waits],
  ['nor is its database waited for', { ...nothing, answering: broken }, builds(broken.mismatch)],
  [
    'one that is built is replaced if it may not answer',
    { ...answersOwn, target: { ...own, ...broken } },
    builds(broken.mismatch),
  ],
  ['one that was removed while it was built is forgotten', { ...answersOwn, target: removed() }, givesUp],
  ['one that answered before changes nothing', { ...answersOwn, previous: own }, waits],
  [
    'not even when the live one may not answer',
    { ...answersOwn, answering: broken, previous: own },
    builds(broken.mismatch),
  ],
]);

table('the form changes while the read model is at work', [
  ['one of the other form is built', { ...answersOwn, live: usable }, builds('It is to have another form')],
  ['and waited for', { ...answersOwn, live: usable, target: own }, waits],
  [
    'one of a third form is replaced',
    { ...answersOwn, live: usable, target: usable },
    builds('It is to have another form'),
  ],
  ['one that is not wanted any more is given up', { ...answersOwn, target: usable }, givesUp],
  [
    'one that is kept does not answer again',
    { ...answersOwn, live: usable, previous: own },
    builds('It is to have another form'),
  ],
]);

table('an upgrade or a downgrade', [
  ['one of this release is built', { ...nothing, live: foreign() }, builds('This release has another form of it')],
  [
    'also when the other release has ended',
    { ...nothing, live: foreign(leftMs) },
    builds('This release has another form of it'),
  ],
  ['and waited for', { ...nothing, live: foreign(), target: own }, waits],
  ['one that is kept catches up', { ...nothing, live: foreign(), previous: own }, takesBack],
  [
    'unless it may not answer',
    { ...nothing, live: foreign(), previous: { ...own, ...broken } },
    builds('This release has another form of it'),
  ],
  [
    'or is of a third release',
    { ...nothing, live: foreign(), previous: foreign() },
    builds('This release has another form of it'),
  ],
  ['what the other release builds is let go on', { ...nothing, live: foreign(), target: foreign() }, otherBuilds],
  ['also where there was none', { ...nothing, target: foreign() }, otherBuilds],
  ['and beside one that may not answer', { ...answersOwn, answering: broken, target: foreign() }, otherBuilds],
  ['and beside one of another form', { ...answersOwn, live: usable, target: foreign() }, otherBuilds],
  [
    'one that nobody builds for the moment is replaced where none answers',
    { ...nothing, target: foreign(1) },
    builds('There is none yet'),
  ],
  ['or that which answers may not', { ...answersOwn, answering: broken, target: foreign(1) }, builds(broken.mismatch)],
  ['but not where one answers', { ...answersOwn, target: foreign(leftMs - 1) }, waits],
  ['until nobody comes back', { ...answersOwn, target: foreign(leftMs) }, givesUp],
]);

table('a release that another one has replaced while its instances ran', [
  ['lets the other go on', isReplaced(0), otherAnswers],
  ['also if it has one that was kept', { ...isReplaced(endedMs - 1), previous: own }, otherAnswers],
  ['takes its place again when the other has ended', { ...isReplaced(endedMs), previous: own }, takesBack],
  ['waits longer where that needs a build', { ...isReplaced(leftMs - 1) }, otherAnswers],
  [
    'and builds when the other does not come back',
    isReplaced(leftMs),
    builds('No instance of the release runs that has replaced it'),
  ],
  ['lets the other go on also if its own may not answer', { ...isReplaced(0), answering: broken }, otherAnswers],
  ['lets the other build', { ...isReplaced(0), target: foreign() }, otherBuilds],
  [
    'also if it is restarted meanwhile',
    { ...isReplaced(leftMs), target: foreign(leftMs - 1), previous: own },
    otherAnswers,
  ],
  ['and forgets what the other has left unfinished', { ...isReplaced(leftMs), target: foreign(leftMs) }, givesUp],
  [
    'treats one that was removed as one of another release',
    { ...isReplaced(0), live: removed(endedMs), previous: own },
    takesBack,
  ],
]);
