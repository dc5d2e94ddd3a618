import { statfs } from 'node:fs/promises';
import { type Metrics, measureEvery } from '@mneme/service-kit';

const everyMs = 15_000;

/** Measures how much room is left on the disk of the data folder. @returns ends it */
export function measureDisk(metrics: Pick<Metrics, 'gauge'>, folder: string): () => void {
  const free = metrics.gauge({
    name: 'mneme_disk_free_bytes',
    help: 'Room that is left on the disk of the data folder',
  });
  const size = metrics.gauge({ name: 'mneme_disk_size_bytes', help: 'Size of the disk of the data folder' });
  const measure = async () => {
    const found = await statfs(folder).catch(() => undefined);
    if (!found) return;
    free.set(found.bavail * found.bsize);
    size.set(found.blocks * found.bsize);
  };
  return measureEvery(everyMs, measure);
}
