import { createHash } from 'node:crypto';
import type { Logger } from '@mneme/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { badRequest, conflict } from '../errors.ts';
import type { Answer } from '../http/answers.ts';
import type { IdempotencyRecord, RecordStore, StoredRecord } from './record-store.ts';
import { openAnswer, type SealingKey, sealAnswer } from './sealed-answer.ts';

/** A request with an idempotency key, which caller, method, path and key together identify. */
export interface KeyedRequest {
  readonly key: string;
  readonly callerId: string;
  /** Who shares the room for such requests with others. */
  readonly owner: string;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer | undefined;
  /** What decides beside the body what it does. */
  readonly query?: string | undefined;
  /** The agent that the request names. */
  readonly agentKey: string | undefined;
}

/** One of the times that a request is performed: once unless its answer is not kept, or was lost. */
export interface Attempt {
  /** A UUID for what the request starts; a repeat with the same idempotency key has the same id. */
  readonly commandId: string;
  /** Whether it repeats a request that succeeded, whose answer was not to be kept. */
  readonly isRepeat: boolean;
  /**
   * For a command that has waited: its agent may have been erased since it began.
   * @throws WireError 409 if so, when the request has an idempotency key
   */
  readonly assertNotErased: () => Promise<void>;
}

/** An answer and the agent that it is about. */
export interface Outcome {
  readonly answer: Answer;
  /** Whether the answer is kept for repeats, if it is final. */
  readonly isReplayable: boolean;
  readonly agentKey: string | undefined;
}

export interface Idempotency {
  /**
   * Carries out a request once with `perform`, and repeats its first answer later. As long as there is no first answer (it
   * is still on its way, or was lost with its gateway), a repeat is performed too, with the same command id; that is
   * harmless, because every write is idempotent by that id. If the first answer is one that is not to be kept, a repeat is
   * performed too, and knows that it is one.
   * @throws WireError 409 when the key was used with another body or query, or its agent was erased since the request began
   */
  run(request: KeyedRequest, perform: (about: Attempt) => Promise<Outcome>): Promise<Answer>;
  /** Deletes the answers to requests about an agent; repeats of requests that have begun before are refused from now on. */
  eraseAgent(agentKey: string): Promise<void>;
}

export interface IdempotencyDeps {
  readonly store: RecordStore;
  readonly logger: Logger;
  /** Of the server, 32 bytes; it keeps an attacker who guesses a key and reads the store from the answer. */
  readonly secret: Uint8Array;
}

export function createIdempotency(deps: IdempotencyDeps): Idempotency {
  return {
    run: async (request, perform) => {
      const key = digest([request.callerId, request.method, request.path, request.key]);
      const stored = await begin(deps, key, request);
      const { record } = stored;
      const kept = record.isAnswered ? await deps.store.findAnswer({ agentKey: record.agentKey, key }) : undefined;
      const answer = kept && openAnswer(kept, sealingKey(deps, request, key));
      if (answer) return replay(answer);
      const { commandId, isPerformed: isRepeat } = record;
      const outcome = await perform({ commandId, isRepeat, assertNotErased: () => assertNotErased(deps, stored) });
      if (isFinal(outcome.answer)) await keep(deps, key, request, stored, outcome);
      return isRepeat && !outcome.isReplayable ? replay(withPosition(outcome.answer, record.position)) : outcome.answer;
    },
    eraseAgent: (agentKey) => deps.store.eraseAgent(agentKey),
  };
}

/** @throws WireError 409 when the key belongs to another request, or the agent was erased since */
async function begin({ store }: IdempotencyDeps, key: string, request: KeyedRequest): Promise<StoredRecord> {
  // With the key, which is stored nowhere: a secret in the body cannot be guessed from the hash.
  const bodyHash = digest([request.key, request.body ?? '', ...(request.query === undefined ? [] : [request.query])]);
  const agentKey = request.agentKey ?? null;
  const states = { begun: null, isAnswered: false, isPerformed: false, position: null };
  const fresh = { bodyHash, commandId: uuidv7(), agentKey, ...states };
  const stored = await store.createOrGet(request.owner, key, fresh);
  const { record } = stored;
  // Earlier releases stored one of the others.
  const accepted = [bodyHash, digest([request.key, request.body ?? '']), digest([request.body ?? ''])];
  if (!accepted.includes(record.bodyHash)) throw conflict('This Idempotency-Key was used with another body or query');
  await assertNotErased({ store }, stored);
  return stored;
}

const erasedSince =
  'The agent was erased, or its erasure began, since this request was first sent; use another Idempotency-Key to send it anew';

async function assertNotErased({ store }: Pick<IdempotencyDeps, 'store'>, stored: StoredRecord): Promise<void> {
  const { agentKey } = stored.record;
  if (agentKey === null || !(await store.isErasedSince(agentKey, begunAt(stored)))) return;
  throw conflict(erasedSince);
}

function begunAt({ record, revision }: StoredRecord): number {
  return record.begun ?? revision;
}

function sealingKey({ secret }: IdempotencyDeps, request: KeyedRequest, key: string): SealingKey {
  return { secret, idempotencyKey: request.key, salt: key };
}

const positionHeader = 'X-Event-Position';

function withPosition(answer: Answer, position: string | null): Answer {
  return position === null ? answer : { ...answer, headers: { ...answer.headers, [positionHeader]: position } };
}

function replay(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

/** A refusal that may have another result next time is not kept, such as one that asks to try again. */
function isFinal({ status, headers }: Answer): boolean {
  return status < 500 && status !== 422 && status !== 429 && !('Retry-After' in headers);
}

/** Best effort: the work is done and the caller gets the answer, so a failure is only logged. A repeat is performed again. */
async function keep(
  deps: IdempotencyDeps,
  key: string,
  request: KeyedRequest,
  stored: StoredRecord,
  outcome: Outcome,
): Promise<void> {
  const { store, logger } = deps;
  const agentKey = outcome.agentKey ?? request.agentKey ?? null;
  try {
    const begun = begunAt(stored);
    const note = (state: Pick<IdempotencyRecord, 'isAnswered' | 'isPerformed' | 'position'>) =>
      store.replace(key, { record: { ...stored.record, agentKey, begun, ...state }, revision: stored.revision });
    if (!outcome.isReplayable) {
      const position = stored.record.position ?? outcome.answer.headers[positionHeader] ?? null;
      await note({ isAnswered: false, isPerformed: true, position });
      return;
    }
    const sealed = sealAnswer(outcome.answer, sealingKey(deps, request, key));
    const place = { agentKey, key };
    if (!(await store.keepAnswer(request.owner, place, sealed))) return;
    await note({ isAnswered: true, isPerformed: false, position: null });
    // An erasure in the meantime may have deleted answers before this one was written.
    if (agentKey !== null && (await store.isErasedSince(agentKey, begun))) await store.dropAnswer(place);
  } catch (error) {
    logger.warn({ err: error }, 'Could not keep the answer to a request with an Idempotency-Key');
  }
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads the header `Idempotency-Key`, if there is one.
 * @throws WireError 400 when it is not 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || visibleAscii.test(header)) return header;
  throw badRequest('Invalid Idempotency-Key: it must be 1 to 255 visible ASCII characters');
}

/** SHA-256 in hexadecimal over parts that are kept apart by their lengths. */
export function digest(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}
