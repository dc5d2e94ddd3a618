import { setTimeout as pause } from 'node:timers/promises';
import { eventLoopStall } from '../system/event-loop.ts';
import type { HttpClient } from '../system/http-client.ts';
import { openWebhook } from '../webhooks/measured-webhook.ts';
import { costlyRequests } from './costly-requests.ts';

export interface Stalls {
  readonly name: string;
  /** The longest that the event loop of the process of all services was held up, in seconds. */
  readonly longestSeconds: number;
  /** Until all is done. */
  readonly seconds: number;
}

export interface StallsRun {
  readonly stalls: readonly Stalls[];
  /** Of the process of all services, before and after `restMs`, in MB. */
  readonly memoryMb: { readonly before: number | undefined; readonly after: number | undefined };
}

export interface StallsSystem {
  /** Some requests end the connection that they come by. */
  readonly connect: () => HttpClient;
  readonly residentMb: () => Promise<number | undefined>;
  /** In the form of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/** Until then all is embedded, and an idle process has given its memory back, in milliseconds. */
const restMs = 180_000;

export async function measureStalls({ connect, residentMb, metrics }: StallsSystem): Promise<StallsRun> {
  const first = connect();
  const { path } = await openWebhook(first);
  // The first requests compile what the others only run.
  for (let round = 0; round < 20; round += 1) await costlyRequests[0]?.send(first, path);
  first.close();
  const before = await residentMb();
  const stalls: Stalls[] = [];
  for (const { name, send } of costlyRequests) {
    const client = connect();
    await metrics();
    const startedAt = performance.now();
    await send(client, path);
    const seconds = (performance.now() - startedAt) / 1_000;
    client.close();
    stalls.push({ name, longestSeconds: eventLoopStall(await metrics()), seconds });
  }
  await pause(restMs);
  return { stalls, memoryMb: { before, after: await residentMb() } };
}
