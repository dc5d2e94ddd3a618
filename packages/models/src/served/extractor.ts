import { inParallel } from '../client/request-policy.ts';
import { type CalendarDay, type ItemDate, isSameDay, noonOf, readItemDate, weekdayOf } from '../dates/calendar.ts';
import { dayText, weekdayNames } from '../dates/date-words.ts';
import type { Chat } from '../langchain/chat.ts';
import type { ExtractedFact, ExtractionItem, FactExtractor, FactType } from '../ports.ts';
import * as prompt from '../prompts/extract.v3.ts';
import { askStructured } from './answers.ts';
import type { Chunk, ChunkedItem } from './chunks.ts';
import { factsAnswer, tidyEntities } from './schemas.ts';

/** One long item must not use the whole concurrency limit. */
const chunksAtOnce = 4;
const visible = /[^\s\p{Z}\p{Cc}\p{Cf}]/u;

/** Cuts an item into the chunks of one model request each. */
export type Chunking = (item: ChunkedItem, signal: AbortSignal | undefined) => Promise<readonly Chunk[]>;

/** Extracts facts with a language model: one request per chunk of an item, and all of them must succeed. */
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
        await chunksOf({ content, role: item.role, agentName: item.agentName }, signal),
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
    speaker: chunk.speaker && (chunk.speaker.name || item.role),
    agentName: isOfOthers(item) ? undefined : chunk.agentName,
  });
  const request = { name: 'facts', schema: factsAnswer, system: prompt.system, user };
  const { facts } = await askStructured(chat, request, signal);
  return facts.flatMap((fact): ExtractedFact[] => {
    const text = fact.text.toWellFormed().trim();
    if (!visible.test(text)) return [];
    return [
      {
        text,
        factType: typeOf(fact.type, item, chunk),
        eventDate: dateOf(fact.date, date),
        entities: tidyEntities(fact.entities),
      },
    ];
  });
}

/** Where only other people speak, no fact can be the agent's own, whatever the model answers. */
function typeOf(type: FactType, item: ExtractionItem, chunk: Chunk): FactType {
  return isOfOthers(item) || chunk.isOnlyOthers ? 'world' : type;
}

/** In an item of a user, of a tool or of the system no one speaks as the agent. */
function isOfOthers({ role }: ExtractionItem): boolean {
  return role !== undefined && role !== 'assistant';
}

/** A day that the model names becomes noon of that day at the item's offset; otherwise the item's own date is kept. */
function dateOf(named: string | null, date: ItemDate | undefined): string | null {
  const day = dayOf(named);
  if (day === undefined) return date?.iso ?? null;
  return date !== undefined && isSameDay(day, date.day) ? date.iso : noonOf(day, date?.offsetMinutes ?? 0);
}

/** Undefined for a day that does not exist: `Date` would turn `2023-02-31` into a day of March. */
function dayOf(named: string | null): CalendarDay | undefined {
  const text = named?.trim().slice(0, 10) ?? '';
  const read = /^[1-9]\d{3}-/.test(text) ? readItemDate(text) : undefined;
  return read?.iso.startsWith(text) ? read.day : undefined;
}

/** An item's date in its own time zone: `Monday, 8 May 2023, 23:30 (UTC-08:00)`. */
function clockText({ iso, day, offsetMinutes }: ItemDate): string {
  const time = new Date(Date.parse(iso) + offsetMinutes * 60_000).toISOString().slice(-13, -8);
  return `${weekdayNames[weekdayOf(day)]}, ${dayText(day)}, ${time} (UTC${offsetText(offsetMinutes)})`;
}

function offsetText(offsetMinutes: number): string {
  const minutes = Math.abs(offsetMinutes);
  const pair = (value: number) => String(value).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${pair(Math.floor(minutes / 60))}:${pair(minutes % 60)}`;
}
