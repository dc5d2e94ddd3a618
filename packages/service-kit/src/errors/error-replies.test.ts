import { expect, it } from 'vitest';
import { classify } from './error-replies.ts';

const refusalOf = (name: string) => {
  const error = Object.assign(new Error('x'), { name });
  return classify(error, new AbortController().signal).refusal;
};

it('only a conflict that another try may resolve asks to try again', () => {
  expect(refusalOf('ConflictError')).toMatchObject({ status: 409, code: 'CONFLICT', extra: { retry_after: 1 } });
  expect(refusalOf('HistoryTooLargeError')).toMatchObject({ status: 409, code: 'CONFLICT', extra: {} });
});

it.each(['UnreadableEventError', 'UnknownEventError'])('an %s says who can help', (name) => {
  const message = 'x. An operator can repair this (docs/dead-letters.md, unreadable events)';
  expect(refusalOf(name)).toMatchObject({ status: 503, code: 'READ_MODEL_BEHIND', message });
});
