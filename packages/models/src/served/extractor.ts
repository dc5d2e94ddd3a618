import { inParallel } from '../client/in-parallel.ts';
import { type CalendarDay, type ItemDate, isSameDay, noonOf, readItemDate } from '../dates/calendar.ts';
import type { Chat } from '../langchain/chat.ts';
import type { ExtractedFact, ExtractionItem, FactExtractor, FactType } from '../ports.ts';
import * as prompt from '../prompts/extract.v2.ts';
import { factsAnswer, tidyEntities } from './answer-schemas.ts';
import type { Chunk } from './chunks.ts';
import { clockText } from './clock-text.ts';
import { askStructured } from './structured.ts';

/** One long item must not take all calls from the others. */
const chunksAtOnce = 4;
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** Cuts a text into what a model is given at once. */
export type Chunking = (text: string, signal: AbortSignal | undefined) => Promise<readonly Chunk[]>;

/** Finds facts by a language model: each chunk of an item is a call, and all have to succeed. */
export function createServedExtractor(chat: Chat, chunksOf: Chunking): FactExtractor {
  return {
    name: chat.name,
    promptVersion: prompt.version,
    extract: async (item, signal) => {
      signal?.throwIfAborted();
      const content = item.content.toWellFormed().trim();
      if (!visible.test(content)) return [];
      const date = readItemDate(item.eventDate);
      const parts = await inParallel(
        await chunksOf(content, signal),
        chunksAtOnce,
        (chunk, inner) => factsOf(chat, item, chunk, date, inner),
        signal,
      );
      return parts.flat();
    },
  };
}

async function factsOf(
  chat: Chat,
  item: ExtractionItem,
  chunk: Chunk,
  date: ItemDate | undefined,
  signal: AbortSignal,
) {
  const user = prompt.user({
    text: chunk.text,
    saidAt: date === undefined ? undefined : clockText(date),
    context: item.context,
    before: chunk.before,
    speaker: chunk.speaker?.name,
  });
  const request = { name: 'facts', schema: factsAnswer, system: prompt.system, user };
  const { facts } = await askStructured(chat, request, signal);
  return facts.flatMap((fact): ExtractedFact[] => {
    const text = fact.text.toWellFormed().trim();
    if (!visible.test(text)) return [];
    return [
      {
        text,
        factType: typeOf(fact.type, chunk),
        eventDate: dateOf(fact.date, date),
        entities: tidyEntities(fact.entities),
      },
    ];
  });
}

/** Where only other people speak, nothing can be the agent's own, whatever the model says. */
function typeOf(type: FactType, chunk: Chunk): FactType {
  return chunk.isOnlyOthers ? 'world' : type;
}

/** A day that the model names is noon of it where the item was said; otherwise the item's own date holds. */
function dateOf(named: string | null, date: ItemDate | undefined): string | null {
  const day = dayOf(named);
  if (day === undefined) return date?.iso ?? null;
  return date !== undefined && isSameDay(day, date.day) ? date.iso : noonOf(day, date?.offsetMinutes ?? 0);
}

/** Undefined for what is no day of the calendar: `2023-02-31` would else become a day of March. */
function dayOf(named: string | null): CalendarDay | undefined {
  const text = named?.trim().slice(0, 10) ?? '';
  const read = /^[1-9]\d{3}-/.test(text) ? readItemDate(text) : undefined;
  return read?.iso.startsWith(text) ? read.day : undefined;
}
