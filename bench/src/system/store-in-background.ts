import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from './http-client.ts';

/** The body of `POST /api/memories/batch_async`. */
export interface BackgroundBatch {
  readonly agent_id: string;
  readonly document_id?: string;
  readonly items: readonly { readonly content: string }[];
}

interface Operation {
  readonly status: string;
  readonly error_message?: string | null;
}

const lookEveryMs = 1_000;

/**
 * Stores a batch in the background, and waits until it is done.
 * @throws Error when it is refused or fails
 */
export async function storeInBackground(client: HttpClient, batch: BackgroundBatch): Promise<void> {
  const { operation_id } = (await client.post('/api/memories/batch_async', batch)) as { operation_id: string };
  for (;;) {
    const operation = (await client.get(`/api/operations/${operation_id}/status`).catch(orBehind)) as Operation;
    if (operation.status === 'completed') return;
    if (operation.status === 'failed') throw new Error(`A batch was not stored: ${operation.error_message}`);
    await pause(lookEveryMs);
  }
}

/** Its submission may wait for its turn as well. @throws any other error */
function orBehind(error: unknown): Operation {
  if (error instanceof Error && error.message.includes('READ_MODEL_BEHIND')) return { status: 'pending' };
  throw error;
}
