import { readdir, readFile } from 'node:fs/promises';
import { processorSeconds, residentMb } from '../timing/machine.ts';

/** Processor time since the processes started, in seconds. */
export interface SystemWork {
  /** The process with all services. */
  readonly services: number;
  /** Its child processes: NATS, MongoDB and Qdrant. */
  readonly servers: number;
}

/** Resident memory in MB of a million bytes. */
export interface SystemMemory {
  /** The process with all services. */
  readonly servicesMb: number;
  /** Its child processes: NATS, MongoDB and Qdrant. */
  readonly serversMb: number;
}

/** @returns undefined where the operating system has no `/proc` */
export async function systemMemory(pid: number): Promise<SystemMemory | undefined> {
  const servicesMb = await residentMb(pid);
  if (servicesMb === undefined) return undefined;
  const children = await descendantsOf(pid);
  const sizes = await Promise.all(children.map(residentMb));
  return { servicesMb, serversMb: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) };
}

/** @returns undefined where the operating system has no `/proc` */
export async function systemWork(pid: number): Promise<SystemWork | undefined> {
  const services = await processorSeconds(pid);
  if (services === undefined) return undefined;
  const used = await Promise.all((await descendantsOf(pid)).map(processorSeconds));
  return { services, servers: used.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0) };
}

async function descendantsOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = new Map(await Promise.all(pids.map(async (each) => [each, await parentOf(each)] as const)));
  const found = [pid];
  for (const parent of found) found.push(...pids.filter((each) => parents.get(each) === parent));
  return found.slice(1);
}

async function parentOf(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = /^PPid:\s+(\d+)$/m.exec(status)?.[1];
  return parent === undefined ? undefined : Number(parent);
}
