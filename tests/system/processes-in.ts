import { readdir, readlink } from 'node:fs/promises';

/** The ids of all processes that work in a folder or below it, such as the servers of a data folder. Linux only. */
export async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_pid, index) => `${folders[index]}/`.startsWith(`${folder}/`));
}
