import type { Item } from '@mneme/client';
import { maxBatchItems, utf8Length } from '@mneme/contracts/item-rules';
import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The largest batch as JSON, in bytes, but for a single item; a gateway takes 5 MiB unless it is set otherwise. */
const maxBatchBytes = 2 * 1_024 ** 2;

/** Items in batches of bounded size, which are the same for the same items. */
export function batchesOf(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = utf8Length(JSON.stringify(item));
    const last = batches.at(-1);
    if (last && last.length < maxBatchItems && bytes + size <= maxBatchBytes) {
      last.push(item);
      bytes += size;
    } else {
      batches.push([item]);
      bytes = size;
    }
  }
  return batches;
}

/** The text that the server makes of the items. */
export function textOf(items: readonly Item[]): string {
  return items.map(({ content }) => content).join('\n');
}

/** SHA-256 in hexadecimal. Browsers have their own only for pages that came through TLS. */
export function sha256(text: string): string {
  return bytesToHex(sha256Of(utf8ToBytes(text)));
}
