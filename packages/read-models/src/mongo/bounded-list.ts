import { WireError } from '@mneme/contracts';
import { createTimeSlice } from '@mneme/workers/time-slices';

/** The most bytes of a list in one reply; what is read by pages has limits of its own. */
const maxListBytes = 16 * 1024 * 1024;

/**
 * What a list without pages shows of rows, in their order. Other work has its turns in between.
 * @param tooLarge what callers are told when it is too large to be sent at once, and what they can do
 * @throws WireError 413
 */
export async function boundedList<Row, Shown>(
  rows: AsyncIterable<Row> | Iterable<Row>,
  show: (row: Row) => Shown,
  tooLarge: string,
): Promise<Shown[]> {
  const list: Shown[] = [];
  const slice = createTimeSlice();
  let left = maxListBytes;
  for await (const row of rows) {
    const shown = show(row);
    left -= Buffer.byteLength(JSON.stringify(shown));
    if (left < 0) throw new WireError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message: tooLarge });
    list.push(shown);
    if (slice.isOver()) await slice.next();
  }
  return list;
}
