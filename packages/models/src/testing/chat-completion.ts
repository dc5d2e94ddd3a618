import type { ModelFault, PlainReply, ToolCall } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';

/** The content of an answer, independent of the protocol. */
export interface Completion {
  readonly content: string | null;
  readonly finishReason: 'stop' | 'length' | 'content_filter' | 'tool_calls';
  readonly refusal?: string;
  readonly toolCalls?: readonly ToolCall[];
}

/** The answer of a reply; undefined for a server failure. */
export function completionOf(reply: PlainReply): Completion | undefined {
  if (typeof reply === 'string') return { content: reply, finishReason: 'stop' };
  if ('json' in reply) return { content: JSON.stringify(reply.json), finishReason: 'stop' };
  if ('toolCalls' in reply) return { content: null, finishReason: 'tool_calls', toolCalls: reply.toolCalls };
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
  const message = { role: 'assistant', content, refusal: refusal ?? null, ...toolCallsOf(completion) };
  return {
    ...head(request, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReason, logprobs: null }],
    usage: usageOf(completion, request),
  };
}

/** The same as events of a stream. */
export function chatCompletionChunks(completion: Completion, request: ModelRequest): object[] {
  const base = head(request, 'chat.completion.chunk');
  const choice = (delta: object, finish_reason: string | null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const words = completion.content?.match(/\s*\S+|\s+$/g) ?? [];
  return [
    choice({ role: 'assistant', ...toolCallsOf(completion) }, null),
    ...words.map((content) => choice({ content }, null)),
    choice({}, completion.finishReason),
    { ...base, choices: [], usage: usageOf(completion, request) },
  ];
}

function head({ body }: ModelRequest, object: string) {
  return { id: 'chatcmpl-stand-in', object, created: 1_700_000_000, model: String(body.model ?? 'stand-in') };
}

function toolCallsOf({ toolCalls }: Completion): object {
  if (toolCalls === undefined) return {};
  return {
    tool_calls: toolCalls.map((call, index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  };
}

function usageOf({ content, toolCalls }: Completion, { text }: ModelRequest) {
  const prompt_tokens = tokensOf(text);
  const completion_tokens = tokensOf(content ?? JSON.stringify(toolCalls ?? ''));
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** Four characters are about a token. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
