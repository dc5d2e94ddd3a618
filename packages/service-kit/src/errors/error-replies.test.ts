import { expect, it } from 'vitest';
import { classify } from './error-replies.ts';

const refusalOf = (name: string, fields = {}) => {
  const error = Object.assign(new Error('x'), { name, ...fields });
  return classify(error, new AbortController().signal).refusal;
};

it('only a conflict that another try may resolve asks to try again', () => {
  expect(refusalOf('ConflictError')).toMatchObject({ status: 409, code: 'CONFLICT', extra: { retry_after: 1 } });
  expect(refusalOf('HistoryTooLargeError')).toMatchObject({ status: 409, code: 'CONFLICT', extra: {} });
});

it.each(['UnreadableEventError', 'UnknownEventError'])('an %s says which event waits for an operator', (name) => {
  const refusal = refusalOf(name, { position: { stream: 'ACCESS', sequence: 7 }, reason: 'it is no CloudEvent 1.0' });
  expect(refusal).toMatchObject({
    status: 503,
    code: 'READ_MODEL_BEHIND',
    message: 'The event ACCESS:7 cannot be read, and waits for an operator: it is no CloudEvent 1.0',
    extra: { retry_after: 1 },
  });
});
