import { WireError } from '@mneme/contracts';
import type { Logger } from '@mneme/service-kit';
import type { Answer } from '../http/answer.ts';
import { digest } from './key.ts';
import type { RecordStore, StoredRecord } from './record-store.ts';

/** A request that carries a key, by what makes it the same request. */
export interface KeyedRequest {
  readonly key: string;
  readonly callerId: string;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer | undefined;
}

export interface Idempotency {
  /**
   * Carries a request out once: the first time by `perform`, later by giving the first answer again.
   * While the first answer is not there (still on its way, or lost with its gateway) a repeat is performed too, with
   * the same command id; that is harmless, because every write is idempotent by that id.
   * @throws WireError 409 when the key was used with another body
   */
  run(request: KeyedRequest, perform: (commandId: string) => Promise<Answer>): Promise<Answer>;
}

export function createIdempotency(deps: { store: RecordStore; newId: () => string; logger: Logger }): Idempotency {
  return {
    run: async (request, perform) => {
      const key = digest([request.callerId, request.method, request.path, request.key]);
      const bodyHash = digest([request.body ?? '']);
      const stored = await deps.store.createOrGet(key, { bodyHash, commandId: deps.newId(), response: null });
      if (stored.record.bodyHash !== bodyHash) throw usedOtherwise();
      if (stored.record.response) return replay(stored.record.response);
      const answer = await perform(stored.record.commandId);
      if (isFinal(answer)) await keep(deps, key, stored, answer);
      return answer;
    },
  };
}

function replay(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

/** A refusal that may be otherwise next time is no answer to keep. */
function isFinal({ status }: Answer): boolean {
  return status < 500 && status !== 422 && status !== 429;
}

/** The work is done and the caller is to know, so that a failure here is only logged: a repeat is performed again. */
async function keep(
  deps: { store: RecordStore; logger: Logger },
  key: string,
  stored: StoredRecord,
  answer: Answer,
): Promise<void> {
  try {
    await deps.store.replace(key, { record: { ...stored.record, response: answer }, revision: stored.revision });
  } catch (error) {
    deps.logger.warn({ err: error }, 'Could not keep the answer to a request with an Idempotency-Key');
  }
}

function usedOtherwise(): WireError {
  const message = 'This Idempotency-Key was used with another body';
  return new WireError({ status: 409, code: 'CONFLICT', message });
}
