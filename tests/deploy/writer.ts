import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { UnitList } from '@mneme/contracts';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';

const agent = 'writer';
const pauseMs = 100;

/** Stores memories one after the other for as long as it is not stopped. */
export interface Writer {
  /** How many were acknowledged so far. */
  acknowledged(): number;
  /** @returns the texts that were acknowledged */
  stop(): Promise<readonly string[]>;
}

/**
 * Sends each request until it is acknowledged, under the same Idempotency-Key, as clients do.
 * @param clients tried in turn
 */
export function startWriter(clients: readonly HttpClient[]): Writer {
  const texts: string[] = [];
  let isStopped = false;
  const writeOn = async () => {
    for (let index = 0; !isStopped; index++) {
      const content = `Crate C${index} holds ${index} lemons.`;
      const headers = { 'idempotency-key': randomUUID() };
      let tries = 0;
      await eventually(
        `${content} is acknowledged`,
        async () => {
          const http = clients[(index + tries++) % clients.length] as HttpClient;
          const { status } = await http.post('/api/memories/batch', { agent_id: agent, items: [{ content }] }, headers);
          return status === 200;
        },
        180_000,
      );
      texts.push(content);
      await pause(pauseMs);
    }
  };
  const writing = writeOn();
  return {
    acknowledged: () => texts.length,
    stop: async () => {
      isStopped = true;
      await writing;
      return texts;
    },
  };
}

/** The texts of the writer that are stored, sorted. */
export async function writtenTexts(http: HttpClient): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let offset = 0; ; offset = texts.length) {
    const { body } = await http.get<UnitList>(`/api/list?agent_id=${agent}&limit=500&offset=${offset}`);
    texts.push(...body.items.map(({ text }) => text));
    if (body.items.length === 0 || texts.length >= body.total) return texts.toSorted();
  }
}
