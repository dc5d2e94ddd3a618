import { z } from 'zod';
import { readConversation, type Turn, type UnreadableTurn } from './conversation.ts';
import { isObject, type RecordFormat, titled } from './record-format.ts';

const nodeSchema = z.object({
  parent: z.string().nullish(),
  children: z.array(z.string()).nullish(),
  message: z.unknown().optional(),
});
type Node = z.infer<typeof nodeSchema>;

const conversationSchema = z.object({
  conversation_id: z.string().nullish(),
  id: z.string().nullish(),
  title: z.string().nullish(),
  create_time: z.unknown().optional(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), nodeSchema),
});
type Conversation = z.infer<typeof conversationSchema>;

const messageSchema = z.object({
  author: z.object({ role: z.string() }),
  recipient: z.string().nullish(),
  create_time: z.unknown().optional(),
  content: z.object({ content_type: z.string(), parts: z.array(z.unknown()).nullish() }),
  metadata: z.object({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
});

/** `conversations.json` of ChatGPT's data export: what was said in the branch that is shown, by the user and the assistant. */
export const chatgpt: RecordFormat = {
  recognises: (record) => 'mapping' in record && isObject(record.mapping),
  read: (record, place) => {
    const parsed = conversationSchema.safeParse(record);
    const id = parsed.data?.conversation_id ?? parsed.data?.id;
    if (!parsed.success || !id) throw new Error('it is no conversation of ChatGPT with an id and a mapping');
    return readConversation({ id: `chatgpt/${id}`, place, turns: turnsOf(parsed.data, place) });
  },
};

function* turnsOf(conversation: Conversation, place: string): Iterable<Turn | UnreadableTurn> {
  const context = titled(conversation.title);
  let number = 0;
  for (const { message } of shownBranch(conversation)) {
    // The root of a conversation has none.
    if (message === undefined || message === null) continue;
    const parsed = messageSchema.safeParse(message);
    const content = parsed.success ? spokenIn(parsed.data) : '';
    if (parsed.success && content === '') continue;
    number += 1;
    const turnPlace = `${place}, turn ${number}`;
    if (!parsed.success) {
      yield { place: turnPlace, fault: 'it is no message of ChatGPT with an author and a content' };
      continue;
    }
    const { author, create_time } = parsed.data;
    const date = create_time ?? conversation.create_time;
    yield { place: turnPlace, content, date, role: author.role, context };
  }
}

/** Text of the two who talk. Calls of tools, their results, hidden prompts, reasoning and files are none. */
function spokenIn({ author, recipient, content, metadata }: z.infer<typeof messageSchema>): string {
  if (author.role !== 'user' && author.role !== 'assistant') return '';
  if ((recipient ?? 'all') !== 'all' || metadata?.is_visually_hidden_from_conversation) return '';
  if (content.content_type !== 'text' && content.content_type !== 'multimodal_text') return '';
  return (content.parts ?? []).map(textOf).join('\n').trim();
}

/** Parts are texts, or objects such as images, and transcripts of what was spoken. */
function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  const isTranscript = isObject(part) && part.content_type === 'audio_transcription' && typeof part.text === 'string';
  return isTranscript ? (part.text as string) : '';
}

/** From the first message to the one shown last; edited messages and other answers are on other branches. */
function shownBranch({ mapping, current_node }: Conversation): Node[] {
  const nodes = new Map(Object.entries(mapping));
  const branch: Node[] = [];
  let id = current_node && nodes.has(current_node) ? current_node : newestLeaf(nodes);
  while (id !== undefined) {
    const node = nodes.get(id);
    if (!node) break;
    branch.push(node);
    // A chain that leads back to itself ends here.
    nodes.delete(id);
    id = node.parent ?? undefined;
  }
  return branch.reverse();
}

function newestLeaf(nodes: ReadonlyMap<string, Node>): string | undefined {
  const leaves = [...nodes].filter(([, { children }]) => (children ?? []).length === 0);
  const timeOf = ({ message }: Node) => (isObject(message) ? Number(message.create_time ?? 0) : 0);
  return leaves.toSorted(([, left], [, right]) => timeOf(left) - timeOf(right)).at(-1)?.[0];
}
