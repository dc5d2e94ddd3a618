import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import type { Agent, ContextOptions } from '../agent.ts';
import { type ConversationOptions, lastTurn, rememberTurn } from '../conversation.ts';
import type { ChatMessage } from '../prompt-block.ts';

/** A message of LangChain, as far as memory is concerned. */
export interface MessageLike {
  readonly id?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the parts of a message differ from version to version
  readonly content: any;
  getType(): string;
}

interface MessagesState {
  readonly messages: readonly MessageLike[];
}

/** The agent whose memory it is, or how to choose it for a run, such as by `config.configurable.user_id`. */
export type AgentChoice = Agent | ((config: LangGraphRunnableConfig) => Agent);

export interface RecallNodeOptions<Field extends string> extends Omit<ContextOptions, 'signal'> {
  /** The field of the state that the block of recalled memories is written to. Default: `recalled`. */
  readonly into?: Field;
}

export interface RememberNodeOptions extends ConversationOptions {}

/** A node before the model: recalls what belongs to the last message of the user; see `agent.context`. */
export function recallNode<Field extends string = 'recalled'>(
  agent: AgentChoice,
  { into = 'recalled' as Field, ...options }: RecallNodeOptions<Field> = {},
) {
  return async ({ messages }: MessagesState, config: LangGraphRunnableConfig): Promise<Record<Field, string>> => {
    const block = await agentOf(agent, config).context(messages.map(toChatMessage), {
      ...options,
      ...signalOf(config),
    });
    return { [into]: block } as Record<Field, string>;
  };
}

/**
 * A node after the model: remembers the last message of the user and what was answered, as the next part of the document
 * `documentId`; by default that of the thread. If LangGraph runs it again for the same messages, nothing is added.
 */
export function rememberNode(agent: AgentChoice, options: RememberNodeOptions = {}) {
  return async ({ messages }: MessagesState, config: LangGraphRunnableConfig): Promise<Record<string, never>> => {
    const turn = lastTurn(messages.map(toChatMessage));
    const documentId = options.documentId ?? threadOf(config);
    const idempotencyKey = keyOf(documentId, messages.at(-1)?.id);
    await rememberTurn(agentOf(agent, config), turn, { ...options, documentId, idempotencyKey, ...signalOf(config) });
    return {};
  };
}

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };

function toChatMessage(message: MessageLike): ChatMessage {
  const type = message.getType();
  return { role: roles[type] ?? type, content: message.content };
}

function agentOf(agent: AgentChoice, config: LangGraphRunnableConfig): Agent {
  return typeof agent === 'function' ? agent(config) : agent;
}

function threadOf({ configurable }: LangGraphRunnableConfig): string | undefined {
  const thread: unknown = configurable?.thread_id;
  return typeof thread === 'string' && thread !== '' ? thread : undefined;
}

/** Messages in a state have ids, which stay the same when a run is resumed. */
function keyOf(documentId: string | undefined, messageId: string | undefined): string | undefined {
  if (documentId === undefined || !messageId) return undefined;
  const key = `langgraph ${documentId} ${messageId}`;
  return encodeURIComponent(key).slice(-255);
}

function signalOf({ signal }: LangGraphRunnableConfig): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {};
}
