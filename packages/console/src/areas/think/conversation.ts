import type { ThinkResponse } from '@mneme/client';
import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { mneme } from '../../app/client.ts';
import { noteFault, queryClient } from '../../app/query-client.ts';
import { createCommand, newId, type RunCommand } from '../../components/forms/use-command.ts';
import { readUnitsAgain } from '../../components/unit/queries.ts';

/** A question, and what became of it. */
export interface Exchange {
  readonly id: string;
  readonly question: string;
  /** When it was asked, ISO 8601. */
  readonly askedAt: string;
  readonly settings: ThinkSettings;
  /** What is sent of what was said before it. */
  readonly context: string;
  /** Sends the question, also when it is asked again. */
  readonly command: RunCommand;
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

/** The next question. */
interface NextQuestion {
  /** What has been typed of it. */
  readonly draft: string;
  readonly settings: ThinkSettings;
}

interface Conversation {
  readonly exchanges: readonly Exchange[];
  readonly next: NextQuestion;
}

/** How much of what was said is sent, in characters: the last of it. */
const maxContextLength = 8_000;
/** How many opinions that share the words of a new one are compared with it. */
const comparedOpinions = 20;
/** Words of an opinion by which it is looked for, in characters. */
const maxWordsLength = 300;

const begun: Conversation = {
  exchanges: [],
  next: { draft: '', settings: { store: true, withConversation: false, thinkingBudget: 50 } },
};

/** Kept with what is read of the server, so that it goes when another caller signs in. */
function conversationQuery(agentId: string) {
  return queryOptions<Conversation>({
    queryKey: ['conversation', agentId],
    queryFn: skipToken,
    initialData: begun,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

const exchangesOf = ({ exchanges }: Conversation) => exchanges;

/** What was said since this page was loaded. */
export function useConversation(agentId: string): readonly Exchange[] {
  return useQuery({ ...conversationQuery(agentId), select: exchangesOf }).data ?? begun.exchanges;
}

/** What was typed and chosen for the next question before one looked at something else. */
export function nextQuestion(agentId: string): NextQuestion {
  return conversationOf(agentId).next;
}

export function prepareQuestion(agentId: string, changes: Partial<NextQuestion>): void {
  change(agentId, ({ next }) => ({ next: { ...next, ...changes } }));
}

export function clearConversation(agentId: string): void {
  change(agentId, () => ({ exchanges: [] }));
}

function conversationOf(agentId: string): Conversation {
  return queryClient.getQueryData(conversationQuery(agentId).queryKey) ?? begun;
}

function change(agentId: string, changes: (now: Conversation) => Partial<Conversation>): void {
  const { queryKey } = conversationQuery(agentId);
  queryClient.setQueryData(queryKey, (now = begun) => ({ ...now, ...changes(now) }));
}

/** Asks; the answer appears in the conversation, also if one looks elsewhere until it comes. */
export function ask(agentId: string, question: string, settings: ThinkSettings): Promise<void> {
  const context = settings.withConversation ? spokenIn(conversationOf(agentId).exchanges) : '';
  return send(agentId, { question, settings, context, command: createCommand() });
}

/** Asks again what could not be answered, as it was asked. */
export function askAgain(agentId: string, { id, ...asked }: Exchange): void {
  change(agentId, ({ exchanges }) => ({ exchanges: exchanges.filter((exchange) => exchange.id !== id) }));
  void send(agentId, asked);
}

type Asked = Pick<Exchange, 'question' | 'settings' | 'context' | 'command'>;

async function send(agentId: string, { question, settings, context, command }: Asked): Promise<void> {
  const id = newId();
  const note = (fields: Partial<Exchange>) =>
    change(agentId, ({ exchanges }) => ({
      exchanges: exchanges.map((exchange) => (exchange.id === id ? { ...exchange, ...fields } : exchange)),
    }));
  const asked = { id, question, settings, context, command, askedAt: new Date().toISOString() };
  change(agentId, ({ exchanges }) => ({ exchanges: [...exchanges, asked] }));
  const { store, thinkingBudget } = settings;
  const how = { store, thinkingBudget, ...(context && { context }) };
  try {
    const answer = await command(how, (options) => mneme.agent(agentId).think(question, { ...how, ...options }));
    note({ answer, opinions: answer.new_opinions.map((text) => ({ text, unitId: undefined })) });
    if (answer.new_opinions.length > 0) note({ opinions: await withUnits(agentId, answer.new_opinions) });
  } catch (error) {
    noteFault(error);
    note({ error });
  }
  // The answer and its opinions may have become memories.
  await readUnitsAgain(queryClient);
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
