import type { ThinkResponse } from '@mneme/client';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { noteFault, queryClient } from '../../app/query-client.ts';
import { readUnitsAgain } from '../../components/unit/queries.ts';

/** A question, and what became of it. */
export interface Exchange {
  readonly id: string;
  readonly question: string;
  /** When it was asked, ISO 8601. */
  readonly askedAt: string;
  readonly answer?: ThinkResponse;
  readonly opinions?: readonly FormedOpinion[];
  readonly error?: unknown;
}

export interface FormedOpinion {
  readonly text: string;
  /** Undefined if the agent had the same opinion before, in other words. */
  readonly unitId: string | undefined;
}

export interface ThinkSettings {
  /** Whether the agent remembers the answer. */
  readonly store: boolean;
  /** Whether what was said before is sent with a question. */
  readonly withConversation: boolean;
  readonly thinkingBudget: number;
}

/** How much of what was said is sent, in characters: the last of it. */
const maxContextLength = 8_000;
/** How many opinions that share the words of a new one are compared with it. */
const comparedOpinions = 20;
/** Words of an opinion by which it is looked for, in characters. */
const maxWordsLength = 300;

/** Kept with what is read of the server, so that it goes when another caller signs in. */
function conversationQuery(agentId: string) {
  return queryOptions<readonly Exchange[]>({
    queryKey: ['conversation', agentId],
    queryFn: skipToken,
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

const none: readonly Exchange[] = [];

/** What was said since this page was loaded. */
export function useConversation(agentId: string): readonly Exchange[] {
  return useQuery(conversationQuery(agentId)).data ?? none;
}

export function clearConversation(agentId: string): void {
  queryClient.setQueryData(conversationQuery(agentId).queryKey, []);
}

/** Asks; the answer appears in the conversation, also if one looks elsewhere until it comes. */
export async function ask(agentId: string, question: string, settings: ThinkSettings): Promise<void> {
  const { store, withConversation, thinkingBudget } = settings;
  const id = crypto.getRandomValues(new Uint32Array(4)).join('-');
  const { queryKey } = conversationQuery(agentId);
  const before = queryClient.getQueryData(queryKey) ?? [];
  const change = (fields: Partial<Exchange>) =>
    queryClient.setQueryData(queryKey, (exchanges: readonly Exchange[] = []) =>
      exchanges.map((exchange) => (exchange.id === id ? { ...exchange, ...fields } : exchange)),
    );
  queryClient.setQueryData(queryKey, [...before, { id, question, askedAt: new Date().toISOString() }]);
  const context = withConversation ? spokenIn(before) : '';
  try {
    const answer = await mneme.agent(agentId).think(question, { store, thinkingBudget, ...(context && { context }) });
    change({ answer, opinions: answer.new_opinions.map((text) => ({ text, unitId: undefined })) });
    if (answer.new_opinions.length > 0) change({ opinions: await withUnits(agentId, answer.new_opinions) });
  } catch (error) {
    noteFault(error);
    change({ error });
  }
  // The answer and its opinions may have become memories.
  await readUnitsAgain(queryClient);
}

/** Asks again what could not be answered. */
export function askAgain(agentId: string, { id, question }: Exchange, settings: ThinkSettings): void {
  queryClient.setQueryData(conversationQuery(agentId).queryKey, (exchanges: readonly Exchange[] = []) =>
    exchanges.filter((exchange) => exchange.id !== id),
  );
  void ask(agentId, question, settings);
}

function spokenIn(exchanges: readonly Exchange[]): string {
  const said = exchanges.flatMap(({ question, answer }) => (answer ? [`User: ${question}\nYou: ${answer.text}`] : []));
  // A character may be cut in two.
  return said.join('\n').slice(-maxContextLength).toWellFormed();
}

/** The answer has the texts of new opinions; the list has their units. */
async function withUnits(agentId: string, texts: readonly string[]): Promise<FormedOpinion[]> {
  return Promise.all(
    texts.map(async (text) => {
      // Without a word that is cut in two.
      const q = text.length <= maxWordsLength ? text : text.slice(0, text.lastIndexOf(' ', maxWordsLength));
      const found = await mneme
        .agent(agentId)
        .memories.page({ type: 'opinion', q, limit: comparedOpinions })
        .catch(() => ({ items: [] }));
      return { text, unitId: found.items.find((unit) => unit.text === text)?.id };
    }),
  );
}
