import type { LanguageModelMiddleware } from 'ai';
import { type Agent, type ContextOptions, contextNames } from '../agent.ts';
import { type ConversationOptions, conversationNames, lastTurn, rememberTurn } from '../conversation.ts';
import { onlyKnown } from '../http/request.ts';
import type { ChatMessage } from '../prompt-block.ts';

export interface MemoryMiddlewareOptions extends ConversationOptions {
  /** How memories are recalled; `false`: not at all. */
  readonly recall?: Omit<ContextOptions, 'signal'> | false | undefined;
  /** `false`: the exchange is not remembered. Default: true. */
  readonly remember?: boolean | undefined;
  /** What to do when the memory fails. With it, the model is called and its answer returned all the same. Default: throws. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

type Hooks = Required<Pick<LanguageModelMiddleware, 'transformParams' | 'wrapGenerate' | 'wrapStream'>>;
type Call = Parameters<Hooks['transformParams']>[0]['params'];
type Prompt = Call['prompt'];
type Answer = Awaited<ReturnType<Hooks['wrapGenerate']>>;
type Streamed = Awaited<ReturnType<Hooks['wrapStream']>>;
type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never;
type FinishReason = Answer['finishReason'];

/**
 * A middleware of the AI SDK (`wrapLanguageModel`): puts what is recalled before the last message of the user, as data, and
 * remembers that message and the model's answer when it is complete. In a loop of tool calls that is the last answer.
 *
 * @throws MnemeError for an option that does not exist
 */
export function memoryMiddleware(agent: Agent, options: MemoryMiddlewareOptions = {}): LanguageModelMiddleware & Hooks {
  const { recall = {}, remember = true, onError, ...conversation } = options;
  onlyKnown('option', conversation, conversationNames);
  if (recall !== false) onlyKnown('option of recall', recall, contextNames);
  /** The text parts that this middleware has added: they are not what the user says. */
  const added = new WeakSet<object>();
  const withMemories = async (params: Call): Promise<Call> => {
    if (recall === false) return params;
    const block = await agent.context(toMessages(params.prompt, added), { ...recall, ...signalOf(params) });
    return block === '' ? params : { ...params, prompt: withBlock(params.prompt, block, added) };
  };
  const rememberAnswer = async (params: Call, text: string, { unified }: FinishReason) => {
    if (!remember || unified === 'tool-calls' || unified === 'error') return;
    const turn = lastTurn([...toMessages(params.prompt, added), { role: 'assistant', content: text }]);
    await rememberTurn(agent, turn, { ...conversation, ...signalOf(params) });
  };
  const orReport = async <T>(work: Promise<T>, fallback: T): Promise<T> => {
    if (onError === undefined) return work;
    return work.catch((error: unknown) => {
      onError(error);
      return fallback;
    });
  };
  return {
    specificationVersion: 'v4',
    transformParams: ({ params }) => orReport(withMemories(params), params),
    wrapGenerate: async ({ doGenerate, params }) => {
      const answer = await doGenerate();
      const text = answer.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      await orReport(rememberAnswer(params, text, answer.finishReason), undefined);
      return answer;
    },
    wrapStream: async ({ doStream, params }) => {
      const answer = await doStream();
      const whenDone = (text: string, reason: FinishReason) => {
        return orReport(rememberAnswer(params, text, reason), undefined);
      };
      return { ...answer, stream: answer.stream.pipeThrough(collectText(whenDone)) };
    },
  };
}

function signalOf({ abortSignal }: Pick<Call, 'abortSignal'>) {
  return abortSignal ? { signal: abortSignal } : {};
}

function toMessages(prompt: Prompt, without: WeakSet<object>): ChatMessage[] {
  return prompt.map(({ role, content }) => {
    if (typeof content === 'string') return { role, content };
    const parts = content.filter((part) => !without.has(part));
    return { role, content: parts.map((part) => (part.type === 'text' ? part : { type: part.type })) };
  });
}

/** Puts a block of text before the last message of the user. */
function withBlock(prompt: Prompt, text: string, added: WeakSet<object>): Prompt {
  const last = prompt.map(({ role }) => role).lastIndexOf('user');
  return prompt.map((message, index) => {
    if (index !== last || message.role !== 'user') return message;
    const part = { type: 'text', text } as const;
    added.add(part);
    return { ...message, content: [part, ...message.content] };
  });
}

/** Lets a stream pass, and calls a function with its text before it ends. A stream that breaks off has no such end. */
function collectText(
  whenDone: (text: string, reason: FinishReason) => Promise<void>,
): TransformStream<StreamPart, StreamPart> {
  let text = '';
  return new TransformStream({
    transform: async (part, controller) => {
      if (part.type === 'text-delta') text += part.delta;
      if (part.type === 'finish') await whenDone(text, part.finishReason);
      controller.enqueue(part);
    },
  });
}
