import type { MemoryEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import { describe, expect, it } from 'vitest';
import { fold } from '../projection/apply-event.ts';
import { emptyWorkingSet, type WorkingSet } from '../read-model/working-set.ts';
import { createLogWriter } from '../testing/events.ts';
import { unitId } from '../units/unit-id.ts';

function applied(...events: readonly Recorded<MemoryEvent>[]): WorkingSet {
  const set = emptyWorkingSet();
  for (const event of events) fold(set, event);
  return set;
}

const textsOf = (set: WorkingSet) => [...set.newUnits.values()].map(({ unit }) => unit.text);
const documentOf = (set: WorkingSet) => [...set.documents.values()][0];

describe('two versions of a document in flight', () => {
  it('keeps the one submitted last when they finish in order', async () => {
    const log = createLogWriter();
    const set = applied(
      log.submitted('a', 'doc', 'first'),
      log.submitted('b', 'doc', 'second'),
      await log.extracted('a', 'doc', 'first'),
      await log.extracted('b', 'doc', 'second'),
    );
    expect(textsOf(set)).toEqual(['second']);
    expect(documentOf(set)?.originalText).toBe('second');
    expect(set.goneUnits).toContain(unitId('a', 0));
  });

  it('keeps the one submitted last when the earlier one finishes after it', async () => {
    const log = createLogWriter();
    const set = applied(
      log.submitted('a', 'doc', 'first'),
      log.submitted('b', 'doc', 'second'),
      await log.extracted('b', 'doc', 'second'),
      await log.extracted('a', 'doc', 'first'),
    );
    expect(textsOf(set)).toEqual(['second']);
    expect(documentOf(set)?.originalText).toBe('second');
    expect(set.operations.get('a')).toMatchObject({ status: 'completed', unitsCreated: 0 });
  });
});

describe('a document', () => {
  it('joins the contents by newlines and hashes them', async () => {
    const log = createLogWriter();
    const set = applied(log.submitted('a', 'doc', 'one', 'two'), await log.extracted('a', 'doc', 'one', 'two'));
    expect(documentOf(set)).toMatchObject({ originalText: 'one\ntwo', textLength: 7 });
    expect(documentOf(set)?.contentHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is replaced even by a version that yields no fact, and keeps its creation', async () => {
    const log = createLogWriter();
    const first = log.submitted('a', 'doc', 'first');
    const set = applied(
      first,
      await log.extracted('a', 'doc', 'first'),
      log.submitted('b', 'doc', '...'),
      await log.extracted('b', 'doc'),
    );
    expect(textsOf(set)).toEqual([]);
    expect(documentOf(set)).toMatchObject({ originalText: '...', createdAt: new Date(first.time) });
  });

  it('stays deleted when a version submitted before the deletion finishes after it', async () => {
    const log = createLogWriter();
    const set = applied(
      log.submitted('a', 'doc', 'first'),
      log.deleted('doc'),
      await log.extracted('a', 'doc', 'first'),
    );
    expect(textsOf(set)).toEqual([]);
    expect(documentOf(set)).toMatchObject({ isDeleted: true, originalText: '' });
  });

  it('comes back when it is stored again after its deletion', async () => {
    const log = createLogWriter();
    const set = applied(log.deleted('doc'), log.submitted('a', 'doc', 'new'), await log.extracted('a', 'doc', 'new'));
    expect(textsOf(set)).toEqual(['new']);
    expect(documentOf(set)).toMatchObject({ isDeleted: false, originalText: 'new' });
  });
});

describe('units', () => {
  it('have the same ids whenever the log is replayed', async () => {
    const replay = async () => {
      const log = createLogWriter();
      return [...applied(log.submitted('a', null, 'x'), await log.extracted('a', null, 'x', 'y')).newUnits.keys()];
    };
    expect(await replay()).toEqual(await replay());
  });

  it('belong to no document when none was given', async () => {
    const log = createLogWriter();
    const set = applied(log.submitted('a', null, 'x'), await log.extracted('a', null, 'x'));
    expect([...set.newUnits.values()][0]?.unit).toMatchObject({ documentId: null, documentKey: null });
    expect(set.documents.size).toBe(0);
  });

  it('go when they are forgotten', async () => {
    const log = createLogWriter();
    const set = applied(
      log.submitted('a', null, 'x'),
      await log.extracted('a', null, 'x', 'y'),
      log.forgotten(unitId('a', 0)),
    );
    expect(textsOf(set)).toEqual(['y']);
  });
});

it('takes a retried operation for one just submitted, which can still become a document', async () => {
  const log = createLogWriter();
  const before = [log.submitted('a', 'doc', 'x'), log.failed('a'), log.retried('a')];
  const pending = { status: 'pending', errorMessage: null, attempts: 0, settledSequence: null };
  expect(applied(...before).operations.get('a')).toMatchObject(pending);
  const set = applied(...before, await log.extracted('a', 'doc', 'x'));
  expect(set.operations.get('a')).toMatchObject({ status: 'completed', unitsCreated: 1 });
  expect(documentOf(set)).toMatchObject({ originalText: 'x' });
});

it('creates an agent with its first write, at that time', () => {
  const log = createLogWriter();
  const event = log.submitted('a', null, 'x');
  expect([...applied(event).agents.values()]).toMatchObject([
    { agentId: 'alice', background: '', createdAt: new Date(event.time) },
  ]);
});

describe('an erased agent', () => {
  it('is gone with everything that it had, and others stay', async () => {
    const [log, other] = [createLogWriter(), createLogWriter('public', 'bob')];
    const before = [log.submitted('a', 'doc', 'x'), await log.extracted('a', 'doc', 'x')];
    const others = [other.submitted('b', 'doc', 'y'), await other.extracted('b', 'doc', 'y')];
    const set = applied(...before, ...others, log.erased());
    expect(textsOf(set)).toEqual(['y']);
    expect([...set.agents.values()].map(({ agentId }) => agentId)).toEqual(['bob']);
    expect([set.operations.size, set.documents.size, set.erasedAgents.size]).toEqual([1, 1, 1]);
  });

  it('gets nothing from work that was under way', async () => {
    const log = createLogWriter();
    const set = applied(log.submitted('a', 'doc', 'x'), log.erased(), await log.extracted('a', 'doc', 'x'));
    expect([set.agents.size, set.operations.size, set.documents.size, set.newUnits.size]).toEqual([0, 0, 0, 0]);
  });

  it('starts empty when it comes again', async () => {
    const log = createLogWriter();
    const set = applied(
      log.submitted('a', null, 'x'),
      await log.extracted('a', null, 'x'),
      log.erased(),
      log.submitted('b', null, 'y'),
      await log.extracted('b', null, 'y'),
    );
    expect(textsOf(set)).toEqual(['y']);
    expect([...set.agents.values()]).toMatchObject([{ agentId: 'alice', createdAt: new Date('2026-01-01T00:00:04Z') }]);
  });
});
