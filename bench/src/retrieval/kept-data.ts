import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** How a set was stored. */
export interface StoredRun {
  /** Part of the names of its agents. */
  readonly run: string;
  readonly storeSeconds: number;
}

/** The data of a system that stay after the measurement, so that the next one only asks. */
export interface KeptData {
  readonly folder: string;
  /** Undefined when the set is not stored there, or only a part of it. */
  readonly stored: StoredRun | undefined;
  noteStored(run: StoredRun): Promise<void>;
}

/** @param keep the folder for all sets and configurations */
export async function openKeptData(keep: string, set: string, configuration: string): Promise<KeptData> {
  const folder = join(keep, `${set} ${configuration}`.replaceAll(/[^\w.-]+/g, '-'));
  await mkdir(folder, { recursive: true });
  const note = join(folder, 'stored.json');
  const text = await readFile(note, 'utf8').catch(() => undefined);
  return {
    folder,
    stored: text === undefined ? undefined : (JSON.parse(text) as StoredRun),
    noteStored: (run) => writeFile(note, JSON.stringify(run)),
  };
}
