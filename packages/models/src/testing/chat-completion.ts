import type { ModelFault, PlainReply } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';

/** The content of an answer, independent of the protocol. */
export interface Completion {
  readonly content: string | null;
  readonly finishReason: 'stop' | 'length' | 'content_filter';
  readonly refusal?: string;
}

/** The answer of a reply; undefined for a server failure. */
export function completionOf(reply: PlainReply): Completion | undefined {
  if (typeof reply === 'string') return { content: reply, finishReason: 'stop' };
  if ('json' in reply) return { content: JSON.stringify(reply.json), finishReason: 'stop' };
  return completionOfFault(reply);
}

function completionOfFault({ fault, message }: ModelFault): Completion | undefined {
  switch (fault) {
    case 'broken-json':
      return { content: '{"facts": [{"text": "Anna', finishReason: 'stop' };
    case 'wrong-form':
      return { content: '{"something": "else"}', finishReason: 'stop' };
    case 'refusal':
      return { content: null, finishReason: 'stop', refusal: message ?? 'I am not able to help with that.' };
    case 'content-filter':
      return { content: null, finishReason: 'content_filter' };
    case 'empty':
      return { content: '', finishReason: 'stop' };
    case 'truncated':
      return { content: '{"facts": [{"text": "Anna lives', finishReason: 'length' };
    default:
      return undefined;
  }
}

/** A body of `chat.completion`. */
export function chatCompletion(completion: Completion, request: ModelRequest): object {
  const { content, finishReason, refusal } = completion;
  const message = { role: 'assistant', content, refusal: refusal ?? null };
  return {
    id: 'chatcmpl-stand-in',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: String(request.body.model ?? 'stand-in'),
    choices: [{ index: 0, message, finish_reason: finishReason, logprobs: null }],
    usage: usageOf(completion, request),
  };
}

function usageOf({ content }: Completion, { text }: ModelRequest) {
  const prompt_tokens = tokensOf(text);
  const completion_tokens = tokensOf(content ?? '');
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** Four characters are about a token. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
