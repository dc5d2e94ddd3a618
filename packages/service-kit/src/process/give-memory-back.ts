import { setFlagsFromString } from 'node:v8';
import type { Logger } from './logger.ts';

/** How often to check whether the process is idle, in milliseconds. */
const lookEveryMs = 5_000;
/** A process is idle if it has used less than this share of one core since the last look. */
const idleShare = 0.2;
/** How much a process has to have grown, in bytes. */
const worthwhile = 100 * 2 ** 20;
/** For how many looks V8 saves memory; by then it has collected several times. */
const looksToSave = 6;

export interface IdleProcess {
  readonly logger: Logger;
  readonly everyMs?: number;
}

/**
 * Lets V8 give back the memory that a burst of large requests has taken, once the process is idle again. V8 does so by itself
 * only for programs that rest: one that polls, as services do, keeps several hundred megabytes of empty pages. While V8 saves
 * memory, it collects in small steps every few seconds, with pauses of up to 40 ms; that ends when there is work again. See
 * docs/decisions/0045-give-memory-back-when-idle.md.
 */
export function giveMemoryBackWhenIdle({ logger, everyMs = lookEveryMs }: IdleProcess): void {
  let usage = process.cpuUsage();
  let atRest = Number.POSITIVE_INFINITY;
  let looksLeft = 0;
  const look = () => {
    const { user, system } = process.cpuUsage(usage);
    usage = process.cpuUsage();
    const isIdle = (user + system) / 1_000 < idleShare * everyMs;
    const bytes = residentBytes();
    if (bytes === undefined) return;
    if (looksLeft > 0) {
      looksLeft = isIdle ? looksLeft - 1 : 0;
      if (looksLeft > 0) return;
      saveMemory(false);
      // What is left by now is in use. After an interruption it may not be, and the next time of rest continues.
      if (isIdle) atRest = bytes;
    } else if (isIdle) {
      atRest = Math.min(atRest, bytes);
      if (bytes - atRest < worthwhile) return;
      logger.debug({ bytes, atRest }, 'Giving memory back');
      saveMemory(true);
      looksLeft = looksToSave;
    }
  };
  setInterval(look, everyMs).unref();
}

/** Undefined where the system cannot tell: it opens a file for that, which fails while the process has too many open. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

function saveMemory(isOn: boolean): void {
  setFlagsFromString(isOn ? '--memory-saver-mode' : '--no-memory-saver-mode');
  if (isOn) hintAtGarbage();
}

/** More than this outside of its heap makes V8 collect, in bytes. */
const outsideHeap = 65 * 2 ** 20;

/** V8 collects when something is allocated. This is never written to, so it takes no memory. */
function hintAtGarbage(): void {
  new ArrayBuffer(outsideHeap);
}
