import { errors } from '@nats-io/nats-core';
import { expect, it } from 'vitest';
import { useTestLog } from '../testing/test-log.ts';
import { makeAndAwaitLeader } from './make-and-await-leader.ts';

const log = useTestLog();

/** What gives one outcome after the other. */
function inTurn(...outcomes: readonly (Error | string)[]): { make(): Promise<string>; readonly calls: number } {
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    make: async () => {
      const outcome = outcomes[calls++] ?? 'no more';
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

it('a cluster that does not answer yet is asked again, and for a stream that can be read', async () => {
  const asked = inTurn(new errors.TimeoutError(), new errors.NoRespondersError('$JS.API'), 'made');
  expect(await makeAndAwaitLeader({ connection: log.connection, stream: log.stream, replicas: 3 }, asked.make)).toBe(
    'made',
  );
  expect(asked.calls).toBe(3);
});

it('a refusal, and one server that does not answer, are errors at once', async () => {
  const { connection, stream } = log;
  const refused = inTurn(new Error('It keeps nothing'), 'made');
  await expect(makeAndAwaitLeader({ connection, stream, replicas: 3 }, refused.make)).rejects.toThrow(
    'It keeps nothing',
  );
  const away = inTurn(new errors.TimeoutError(), 'made');
  await expect(makeAndAwaitLeader({ connection, stream, replicas: 1 }, away.make)).rejects.toThrow(errors.TimeoutError);
});
