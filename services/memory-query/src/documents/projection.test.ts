import { describe, expect, it } from 'vitest';
import { unitId } from '../read-model/rows.ts';
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
      documents: [{ originalText: 'second' }],
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
      documents: [{ originalText: 'second' }],
      operations: [{ _id: 'a', status: 'completed', unitsCreated: 0 }, { _id: 'b' }],
    });
  });
});

describe('a document', () => {
  it('joins the contents by newlines and hashes them', async () => {
    const log = createLogWriter();
    given(log.submitted('a', 'doc', 'one', 'two'), await log.extracted('a', 'doc', 'one', 'two')).thenRows({
      documents: [
        { originalText: 'one\ntwo', textLength: 7, contentHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      ],
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
    ).thenRows({ units: [], documents: [{ originalText: '...', createdAt: new Date(first.time) }] });
  });

  it('stays deleted when a version submitted before the deletion finishes after it', async () => {
    const log = createLogWriter();
    given(log.submitted('a', 'doc', 'first'), log.deleted('doc'), await log.extracted('a', 'doc', 'first')).thenRows({
      units: [],
      documents: [{ isDeleted: true, originalText: '' }],
    });
  });

  it('exists again when it is stored after its deletion', async () => {
    const log = createLogWriter();
    given(log.deleted('doc'), log.submitted('a', 'doc', 'new'), await log.extracted('a', 'doc', 'new')).thenRows({
      units: [{ text: 'new' }],
      documents: [{ isDeleted: false, originalText: 'new' }],
    });
  });
});
