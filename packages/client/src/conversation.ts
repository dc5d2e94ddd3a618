import type { Agent, Item, RememberOptions } from './agent.ts';
import type { NamesOf } from './http/request.ts';
import { type ChatMessage, textOf } from './prompt-block.ts';
import type { Role } from './schemas.ts';

export interface ConversationOptions extends Pick<RememberOptions, 'documentId' | 'wait'> {
  /** Metadata of the memories, by which they can be filtered. */
  readonly metadata?: Item['metadata'];
  /** Whose messages are remembered. Default: `user` and `assistant`. */
  readonly roles?: readonly Role[] | undefined;
}

export const conversationNames: NamesOf<ConversationOptions> = {
  documentId: true,
  wait: true,
  metadata: true,
  roles: true,
};

const defaultRoles: readonly Role[] = ['user', 'assistant'];

/** A message of a turn. */
interface TurnMessage {
  readonly role: string;
  /** The assistant calls a tool with it: what it says there is no answer yet. */
  readonly callsTools?: boolean;
}

/**
 * The last message of the user and the last answer to it. Messages of other roles between them, such as results of tools,
 * stay; what the assistant says before the answer goes.
 */
export function lastTurn<Message extends TurnMessage>(messages: readonly Message[]): readonly Message[] {
  const start = messages.map(({ role }) => role).lastIndexOf('user');
  if (start === -1) return [];
  const turn = messages.slice(start);
  const answer = turn.filter(({ role, callsTools }) => role === 'assistant' && !callsTools).at(-1);
  return turn.filter((message) => message.role !== 'assistant' || message === answer);
}

/** The text of messages, as it is remembered. */
export function itemsOf(
  messages: readonly ChatMessage[],
  { metadata, roles = defaultRoles }: Pick<ConversationOptions, 'metadata' | 'roles'>,
): Item[] {
  return messages.flatMap((message): Item[] => {
    const content = textOf(message);
    const role = roles.find((each) => each === message.role);
    return role === undefined || content.trim() === '' ? [] : [{ content, role, metadata }];
  });
}

/** Remembers the text of messages, as the next part of a document if one is given. */
export async function rememberTurn(
  agent: Agent,
  messages: readonly ChatMessage[],
  { metadata, documentId, roles, ...options }: ConversationOptions & Pick<RememberOptions, 'idempotencyKey' | 'signal'>,
): Promise<void> {
  const items = itemsOf(messages, { metadata, roles });
  if (items.length === 0) return;
  const document = documentId === undefined ? {} : ({ documentId, mode: 'append' } as const);
  await agent.remember(items, { ...options, ...document });
}
