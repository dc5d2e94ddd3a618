import { setTimeout as pause } from 'node:timers/promises';
import type { PeerInfo, StreamInfo } from '@nats-io/jetstream';
import { nanos } from '@nats-io/nats-core';
import type { Log } from '../log.ts';

/** Servers answer their leader every second. NATS itself says for 10 s that a server is current which does not answer. */
const freshMs = 2_000;
/** How long to wait for a server that does not answer, in milliseconds. */
const silentMs = 5_000;
/** After this time the leader knows whether a server still answers. */
export const noticedAfterMs = 3_000;
/** How often to look whether a server has caught up. */
const maxLooks = 20;
const lookEveryMs = 500;
/** A new leader of a stream is elected within 10 s, on a busy machine later. */
const electionMs = 20_000;

/** What a server has of a stream, compared with its leader: all, not all yet or not surely, or nothing that can be asked for. */
export type Standing = 'current' | 'behind' | 'away';

/** Whether the leader has heard from a server a moment ago, and that it has everything. */
export function isCurrent({ current, offline, active, lag }: PeerInfo): boolean {
  return current && !offline && active <= nanos(freshMs) && (lag ?? 0) === 0;
}

export async function standingOf(log: Log, server: string): Promise<Standing> {
  const { cluster } = await infoOf(log);
  if (cluster?.leader === server) return 'current';
  const peer = cluster?.replicas?.find(({ name }) => name === server);
  // A new leader knows the others a moment later.
  if (!peer) return 'behind';
  if (peer.offline || peer.active > nanos(silentMs)) return 'away';
  return isCurrent(peer) ? 'current' : 'behind';
}

/** Whether a server has what its leader has; waits a while for one that runs. */
export async function hasCaughtUp(log: Log, server: string): Promise<boolean> {
  for (let looks = 1; ; looks += 1) {
    const standing = await standingOf(log, server);
    if (standing !== 'behind' || looks === maxLooks) return standing === 'current';
    await pause(lookEveryMs);
  }
}

/** The names of the servers that keep a stream, the leader first; undefined in place of the name of the only one. */
export async function serversOf(log: Log): Promise<readonly (string | undefined)[]> {
  for (let looks = 1; ; looks += 1) {
    const { config, cluster } = await infoOf(log);
    if (config.num_replicas === 1) return [undefined];
    const { leader, replicas = [] } = cluster ?? {};
    const isComplete = leader !== undefined && replicas.length + 1 >= config.num_replicas;
    if (isComplete) return [leader, ...replicas.map(({ name }) => name)];
    if (looks === maxLooks) throw new Error(`Only ${replicas.length + 1} servers that keep ${log.stream} are known`);
    await pause(lookEveryMs);
  }
}

/** From the leader of the stream; waits while one is elected, since a server may be lost at any time. */
export async function infoOf(log: Log): Promise<StreamInfo> {
  const deadline = performance.now() + electionMs;
  for (;;) {
    try {
      return await (await log.manager()).streams.info(log.stream);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await pause(lookEveryMs);
  }
}
