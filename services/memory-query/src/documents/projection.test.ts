import { describe, expect, it } from 'vitest';
import { unitId } from '../read-model/row-ids.ts';
import { createLogWriter } from '../testing/events.ts';
import { given } from '../testing/spec.ts';

describe('two concurrent versions of a document', () => {
  it('keeps the one submitted last when they finish in order', async () => {
    const log = createLogWriter();
    given(
      log.submitted('a', 'doc', 'first'),
      log.submitted('b', 'doc', 'second'),
      await log.extracted('a', 'doc', 'first'),
      await log.extracted('b', 'doc', 'second'),
    ).thenRows({
      units: [{ text: 'second' }],
      turns: [{ text: 'second' }],
      goneUnits: [unitId('a', 0)],
    });
  });

  it('keeps the one submitted last when the earlier one finishes after it', async () => {
    const log = createLogWriter();
    given(
      log.submitted('a', 'doc', 'first'),
      log.submitted('b', 'doc', 'second'),
      await log.extracted('b', 'doc', 'second'),
      await log.extracted('a', 'doc', 'first'),
    ).thenRows({
      units: [{ text: 'second' }],
      turns: [{ text: 'second' }],
      operations: [{ _id: 'a', status: 'completed', unitsCreated: 0 }, { _id: 'b' }],
    });
  });
});

describe('a document', () => {
  it('joins the contents by newlines and hashes them', async () => {
    const log = createLogWriter();
    given(log.submitted('a', 'doc', 'one', 'two'), await log.extracted('a', 'doc', 'one', 'two')).thenRows({
      documents: [{ textLength: 7, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      turns: [{ text: 'one\ntwo', textLength: 7, facts: 2 }],
    });
  });

  it('counts code points, so that an emoji is one character', async () => {
    const log = createLogWriter();
    given(log.submitted('a', 'doc', '👩‍🚀 in Köln'), await log.extracted('a', 'doc', 'in Köln')).thenRows({
      documents: [{ textLength: 11 }],
      turns: [{ textLength: 11 }],
    });
  });

  it('is replaced even by a version without facts, and keeps its creation time', async () => {
    const log = createLogWriter();
    const first = log.submitted('a', 'doc', 'first');
    given(
      first,
      await log.extracted('a', 'doc', 'first'),
      log.submitted('b', 'doc', '...'),
      await log.extracted('b', 'doc'),
    ).thenRows({ units: [], turns: [{ text: '...' }], documents: [{ createdAt: new Date(first.time) }] });
  });

  it('stays deleted when a version submitted before the deletion finishes after it', async () => {
    const log = createLogWriter();
    given(log.submitted('a', 'doc', 'first'), log.deleted('doc'), await log.extracted('a', 'doc', 'first')).thenRows({
      units: [],
      documents: [{ isDeleted: true }],
      turns: [],
    });
  });

  it('exists again when it is stored after its deletion', async () => {
    const log = createLogWriter();
    const before = [log.submitted('before', null, 'x'), log.deleted('doc')];
    given(...before, log.submitted('a', 'doc', 'new'), await log.extracted('a', 'doc', 'new')).thenRows({
      units: [{ text: 'new' }],
      documents: [{ isDeleted: false }],
      turns: [{ text: 'new' }],
    });
  });
});

describe('turns that are appended to a document', () => {
  it('are numbered as they were submitted, and keep what the document has', async () => {
    const log = createLogWriter();
    given(
      log.submitted('a', 'doc', 'first'),
      log.appended(log.submitted('b', 'doc', 'second')),
      log.appended(log.submitted('c', 'doc', 'third', 'fourth')),
      await log.extracted('a', 'doc', 'first'),
      append(await log.extracted('c', 'doc', 'third', 'fourth')),
      append(await log.extracted('b', 'doc', 'second')),
    ).thenRows({
      units: [{ text: 'first' }, { text: 'third', turn: 3 }, { text: 'fourth', turn: 3 }, { text: 'second', turn: 2 }],
      turns: [
        { operationId: 'a', submitted: 1 },
        { operationId: 'c', submitted: 3, facts: 2 },
        { operationId: 'b', submitted: 2 },
      ],
      documents: [{ isAppended: true, isDeleted: false, turns: 3, newestSequence: 3 }],
      goneUnits: [],
    });
  });

  it('create a document that does not exist', async () => {
    const log = createLogWriter();
    const submitted = log.appended(log.submitted('a', 'doc', 'first'));
    given(submitted).thenRows({ documents: [{ isDeleted: true, turns: 1 }], turns: [] });
    given(submitted, append(await log.extracted('a', 'doc', 'first'))).thenRows({
      documents: [{ isDeleted: false, submittedSequence: 0 }],
      turns: [{ text: 'first' }],
    });
  });

  it('stay when a version that was submitted before them finishes after them', async () => {
    const log = createLogWriter();
    given(
      log.submitted('a', 'doc', 'version'),
      log.appended(log.submitted('b', 'doc', 'appended')),
      append(await log.extracted('b', 'doc', 'appended')),
      await log.extracted('a', 'doc', 'version'),
    ).thenRows({
      units: [{ text: 'appended' }, { text: 'version' }],
      turns: [{ text: 'appended' }, { text: 'version' }],
      documents: [{ isAppended: true, submittedSequence: 1, newestSequence: 2 }],
    });
  });

  it('go with a version or a deletion that was submitted after them, also when they finish later', async () => {
    const log = createLogWriter();
    const before = [log.appended(log.submitted('a', 'doc', 'old')), log.appended(log.submitted('b', 'doc', 'late'))];
    const first = append(await log.extracted('a', 'doc', 'old'));
    const version = [log.submitted('c', 'doc', 'new'), await log.extracted('c', 'doc', 'new')];
    const late = append(await log.extracted('b', 'doc', 'late'));
    given(...before, first, ...version, late).thenRows({
      units: [{ text: 'new' }],
      turns: [{ text: 'new' }],
      documents: [{ isAppended: false }],
      goneUnits: [unitId('a', 0)],
    });
    given(...before, first, log.deleted('doc'), late).thenRows({
      units: [],
      turns: [],
      documents: [{ isDeleted: true, turns: 2 }],
    });
  });
});

function append(event: Awaited<ReturnType<ReturnType<typeof createLogWriter>['extracted']>>) {
  return { ...event, data: { ...event.data, mode: 'append' as const } };
}
