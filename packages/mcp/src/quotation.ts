import { recalledBlock, recalledNotice } from '@mneme/client';
import { z } from 'zod';

/** A memory as tools show it; what it does not have is left out. */
export const memorySchema = z.object({
  id: z.string(),
  text: z.string(),
  type: z.string().optional(),
  date: z.string().optional(),
  context: z.string().optional(),
  document_id: z.string().optional(),
});
export type ShownMemory = z.output<typeof memorySchema>;

/** Stands beside texts of memory in structured results. */
export const notice = { notice: z.string() };
export const noticed = { notice: recalledNotice };

/** The longest context that is shown with a memory in a list, in UTF-16 code units. */
const maxContextLength = 300;

interface AnyMemory {
  readonly id: string | null;
  readonly text: string;
  readonly type?: string | null;
  readonly fact_type?: string;
  readonly date?: string;
  readonly event_date?: string | null;
  readonly context?: string | null;
  readonly document_id?: string | null;
}

/** Search results, listed memories and facts of an answer in one form. */
export function shown(memory: AnyMemory): ShownMemory {
  const { id, text, context, document_id } = memory;
  const type = memory.type ?? memory.fact_type;
  const date = memory.date ?? memory.event_date;
  return {
    id: id ?? '',
    text,
    ...(type && { type }),
    ...(date && { date }),
    ...(context && { context: cut(context, maxContextLength) }),
    ...(document_id && { document_id }),
  };
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/** Memories as a block that says that they are data, with their ids. */
export function quoteMemories(memories: readonly ShownMemory[]): string {
  return recalledBlock(memories.map(lineOf));
}

function lineOf({ id, text, type, date, context, document_id }: ShownMemory): string {
  const about = [id && `id ${id}`, document_id && `document ${document_id}`, context].filter(Boolean).join(', ');
  return `${date ? `[${date.slice(0, 10)}] ` : ''}${type === 'opinion' ? 'opinion: ' : ''}${text} (${about})`;
}

/** Text of several lines as a quotation, word for word; no line of it can end the quotation. */
export function quoteText(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`);
  return [recalledNotice, '', ...lines].join('\n');
}
