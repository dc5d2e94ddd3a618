import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import { type Agent, type ContextOptions, contextNames, type Item } from '../agent.ts';
import { type ConversationOptions, conversationNames, itemsOf, lastTurn, rememberTurn } from '../conversation.ts';
import { onlyKnown } from '../http/request.ts';
import type { ChatMessage } from '../prompt-block.ts';

/** A message of LangChain, as far as memory is concerned. */
export interface MessageLike {
  readonly id?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the parts of a message differ from version to version
  readonly content: any;
  /** Of the model: the tools that it calls. */
  readonly tool_calls?: readonly unknown[] | undefined;
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

/**
 * A node before the model: recalls what belongs to the last message of the user; see `agent.context`.
 *
 * @throws MnemeError for an option that does not exist
 */
export function recallNode<Field extends string = 'recalled'>(
  agent: AgentChoice,
  { into = 'recalled' as Field, ...options }: RecallNodeOptions<Field> = {},
) {
  onlyKnown('option', options, contextNames);
  return async ({ messages }: MessagesState, config: LangGraphRunnableConfig): Promise<Record<Field, string>> => {
    const block = await agentOf(agent, config).context(messages.map(toChatMessage), {
      ...options,
      ...signalOf(config),
    });
    return { [into]: block } as Record<Field, string>;
  };
}

/**
 * A node after the model: remembers the last message of the user and the answer, as the next part of the document
 * `documentId`; by default that of the thread. What the model says when it calls a tool is no answer. If LangGraph runs the
 * node again for the same messages, nothing is added.
 *
 * @throws MnemeError for an option that does not exist
 */
export function rememberNode(agent: AgentChoice, options: RememberNodeOptions = {}) {
  onlyKnown('option', options, conversationNames);
  return async ({ messages }: MessagesState, config: LangGraphRunnableConfig): Promise<Record<string, never>> => {
    const turn = lastTurn(messages.map(toChatMessage));
    const documentId = options.documentId ?? threadOf(config);
    const chosen = agentOf(agent, config);
    const idempotencyKey = keyOf({
      agentId: chosen.id,
      documentId,
      items: itemsOf(turn, options),
      messageId: messages.at(-1)?.id,
    });
    await rememberTurn(chosen, turn, { ...options, documentId, idempotencyKey, ...signalOf(config) });
    return {};
  };
}

/** The longest `Idempotency-Key` of the API. */
const maxKeyLength = 255;

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };

function toChatMessage(message: MessageLike): ChatMessage & { readonly callsTools: boolean } {
  const type = message.getType();
  const callsTools = (message.tool_calls?.length ?? 0) > 0;
  return { role: roles[type] ?? type, content: message.content, callsTools };
}

function agentOf(agent: AgentChoice, config: LangGraphRunnableConfig): Agent {
  return typeof agent === 'function' ? agent(config) : agent;
}

function threadOf({ configurable }: LangGraphRunnableConfig): string | undefined {
  const thread: unknown = configurable?.thread_id;
  return typeof thread === 'string' && thread !== '' ? thread : undefined;
}

interface Turn {
  readonly agentId: string;
  readonly documentId: string | undefined;
  readonly items: readonly Item[];
  /** Messages in a state have ids, which stay the same when a run is resumed. */
  readonly messageId: string | undefined;
}

/** The same if a turn is remembered again, and another one if a node sends something else: a key belongs to one body. */
function keyOf({ agentId, documentId, items, messageId }: Turn): string | undefined {
  if (documentId === undefined || !messageId) return undefined;
  const digest = digestOf(JSON.stringify([agentId, documentId, items]));
  return encodeURIComponent(`langgraph ${documentId} ${agentId} ${digest} ${messageId}`).slice(-maxKeyLength);
}

/** FNV-1a of the UTF-16 code units, 32 bits in hexadecimal: browsers have no cryptographic digest on insecure pages. */
function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function signalOf({ signal }: LangGraphRunnableConfig): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {};
}
