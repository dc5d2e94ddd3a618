import { chatgpt } from './chatgpt.ts';
import { claude } from './claude.ts';
import { hindsight } from './hindsight.ts';
import { itemLines } from './item-lines.ts';
import { mem0 } from './mem0.ts';
import type { RecordFormat } from './record-format.ts';

/** In the order in which a record is compared with them. */
export const recordFormats = { chatgpt, claude, mem0, hindsight, jsonl: itemLines } as const satisfies Record<
  string,
  RecordFormat
>;
export type RecordFormatName = keyof typeof recordFormats;

export type FormatName = RecordFormatName | 'text' | 'markdown';
export const formatNames = ['text', 'markdown', 'jsonl', 'chatgpt', 'claude', 'mem0', 'hindsight'] as const;

/** The format that a record looks like. */
export function recogniseFormat(record: unknown): RecordFormatName | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const names = Object.keys(recordFormats) as RecordFormatName[];
  return names.find((name) => recordFormats[name].recognises(record));
}
