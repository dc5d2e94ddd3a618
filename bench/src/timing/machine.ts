import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';

/** What the figures were measured on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly node: string;
  readonly platform: string;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
}

/** One line for the head of a report. */
export function machineLine({ cpu, cores, memoryGb, node, platform }: Machine): string {
  return `${cores} cores (${cpu}), ${memoryGb} GB, Node ${node}, ${platform}; every server on the same machine`;
}

/** The memory that a process holds, in MB of a million bytes; undefined where the system keeps no `/proc`. */
export async function residentMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1_024) / 1_000_000;
}

/** Ticks of Linux, in which `/proc` counts, in a second. */
const ticksPerSecond = 100;

/** The processor time that a process has used, in seconds; undefined where the system keeps no `/proc`. */
export async function processorSeconds(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // After the name, which may have spaces in it; user and system time are the fields 14 and 15 of the line.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
