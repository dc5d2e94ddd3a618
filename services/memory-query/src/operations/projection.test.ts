import { expect, it } from 'vitest';
import { createLogWriter } from '../testing/events.ts';
import { given } from '../testing/spec.ts';

it('shows a submitted operation as pending and a completed one with its units', async () => {
  const log = createLogWriter();
  const submitted = log.submitted('a', null, 'x');
  given(submitted).thenRows({ operations: [{ status: 'pending', itemsCount: 1, settledSequence: null }] });
  const extracted = await log.extracted('a', null, 'x', 'y');
  const { sequence } = extracted.position;
  given(submitted, extracted).thenRows({
    operations: [{ status: 'completed', unitsCreated: 2, settledSequence: sequence }],
  });
});

it('shows a started operation as processing, with its attempt', () => {
  const log = createLogWriter();
  given(log.submitted('a', null, 'x'), log.started('a', 1), log.started('a', 2)).thenRows({
    operations: [{ status: 'processing', attempts: 2, settledSequence: null }],
  });
});

it('shows a failed operation with its message and attempts', () => {
  const log = createLogWriter();
  given(log.submitted('a', null, 'x'), log.failed('a')).thenRows({
    operations: [{ status: 'failed', errorMessage: 'no model', attempts: 5, settledSequence: expect.any(Number) }],
  });
});

it('shows a retried operation as pending; it can still become a document', async () => {
  const log = createLogWriter();
  const before = [log.submitted('a', 'doc', 'x'), log.failed('a'), log.retried('a')];
  given(...before).thenRows({
    operations: [{ status: 'pending', errorMessage: null, attempts: 0, settledSequence: null }],
  });
  given(...before, await log.extracted('a', 'doc', 'x')).thenRows({
    operations: [{ status: 'completed', unitsCreated: 1 }],
    turns: [{ text: 'x' }],
  });
});

it('gives its text to the turn of the document with its first facts', async () => {
  const log = createLogWriter();
  const extracted = await log.extracted('a', 'doc', 'y');
  const first = { ...extracted, data: { ...extracted.data, parts: 2 } };
  given(log.submitted('a', 'doc', 'x'), log.started('a'), first).thenRows({
    operations: [{ status: 'processing', pendingText: null, settledSequence: null }],
    turns: [{ text: 'x' }],
  });
});

it('drops the text of a cancelled operation', () => {
  const log = createLogWriter();
  given(log.submitted('a', 'doc', 'x'), log.cancelled('a')).thenRows({
    operations: [{ status: 'cancelled', pendingText: null, settledSequence: 2 }],
  });
});

it('keeps why a dismissed operation failed, and drops its text', () => {
  const log = createLogWriter();
  const failed = [log.submitted('a', 'doc', 'x'), log.failed('a')];
  given(...failed).thenRows({ operations: [{ pendingText: 'x' }] });
  given(...failed, log.dismissed('a')).thenRows({
    operations: [{ status: 'dismissed', errorMessage: 'no model', pendingText: null, settledSequence: 2 }],
  });
});

it('ignores events of an operation whose submission was erased', () => {
  const log = createLogWriter();
  given(log.started('a'), log.failed('a'), log.dismissed('a'), log.retried('a')).thenRows({ operations: [] });
});
