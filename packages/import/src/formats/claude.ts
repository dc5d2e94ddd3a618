import { z } from 'zod';
import { readConversation, type Turn, type UnreadableTurn } from './conversation.ts';
import { isObject, type RecordFormat, titled } from './record-format.ts';

const conversationSchema = z.object({
  uuid: z.string().min(1),
  name: z.string().nullish(),
  created_at: z.unknown().optional(),
  chat_messages: z.array(z.unknown()),
});

const messageSchema = z.object({
  sender: z.enum(['human', 'assistant']),
  text: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  created_at: z.unknown().optional(),
  attachments: z.array(z.unknown()).nullish(),
});
type Message = z.infer<typeof messageSchema>;

/** `conversations.json` of Claude's data export: what was said, and the text of attachments. */
export const claude: RecordFormat = {
  recognises: (record) => 'chat_messages' in record && Array.isArray(record.chat_messages),
  read: (record, place) => {
    const parsed = conversationSchema.safeParse(record);
    if (!parsed.success) throw new Error('it is no conversation of Claude with a uuid and chat_messages');
    return readConversation({ id: `claude/${parsed.data.uuid}`, place, turns: turnsOf(parsed.data, place) });
  },
};

function* turnsOf(conversation: z.infer<typeof conversationSchema>, place: string): Iterable<Turn | UnreadableTurn> {
  const title = titled(conversation.name);
  for (const [index, message] of conversation.chat_messages.entries()) {
    const turnPlace = `${place}, turn ${index + 1}`;
    const parsed = messageSchema.safeParse(message);
    if (!parsed.success) {
      yield { place: turnPlace, fault: 'it is no message of Claude with a sender and a text' };
      continue;
    }
    const { sender, created_at } = parsed.data;
    const role = sender === 'human' ? 'user' : 'assistant';
    const turn = { place: turnPlace, date: created_at ?? conversation.created_at, role };
    for (const { name, text } of attachmentsOf(parsed.data)) {
      yield { ...turn, content: text, context: [title, `attachment ${name}`].filter(Boolean).join(', ') };
    }
    yield { ...turn, content: spokenIn(parsed.data), context: title };
  }
}

/** The blocks of text. `text` also has substitutes for the calls of tools, so it counts only without blocks. */
function spokenIn({ content, text }: Message): string {
  const blocks = (content ?? []).flatMap((block) =>
    isObject(block) && block.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  );
  return content && content.length > 0 ? blocks.join('\n') : (text ?? '');
}

function attachmentsOf({ attachments }: Message): { name: string; text: string }[] {
  return (attachments ?? []).flatMap((attachment) =>
    isObject(attachment) && typeof attachment.extracted_content === 'string'
      ? [{ name: titled(attachment.file_name) ?? 'file', text: attachment.extracted_content }]
      : [],
  );
}
