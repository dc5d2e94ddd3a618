import type { AIMessage, UsageMetadata } from '@langchain/core/messages';
import { initChatModel } from 'langchain/chat_models/universal';
import { truncated } from '../client/client-failure.ts';
import type { Calls } from '../client/request-policy.ts';
import { ModelError } from '../model-error.ts';
import type { ModelUsage } from '../models.ts';
import { type Abilities, isRefusedRequest, lesserMode, type Mode } from './abilities.ts';
import type { AnswerForm, Chat, ChatMessage } from './chat.ts';
import type { ModelId } from './model-id.ts';

export interface LangChainChatOptions {
  readonly id: ModelId;
  readonly task: ModelUsage['task'];
  readonly temperature: number;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly calls: Calls;
  /** Of this model on this server; all its tasks share them. */
  readonly abilities: Abilities;
  readonly onUsage: (usage: ModelUsage) => void;
}

type ChatModel = Awaited<ReturnType<typeof initChatModel>>;

/** A language model through LangChain's `initChatModel`, without LangChain's own retries. */
export async function createLangChainChat(options: LangChainChatOptions): Promise<Chat> {
  const { id, abilities, calls } = options;
  const [tempered, untempered] = await Promise.all([
    connect(options, options.temperature),
    connect(options, undefined),
  ]);

  function askIn(
    mode: Mode,
    messages: readonly ChatMessage[],
    form: AnswerForm | undefined,
    signal: AbortSignal | undefined,
  ) {
    const model = mode.hasTemperature ? tempered : untempered;
    return calls.run(
      id.text,
      async (attempt) => readAnswer(await invoke(model, mode, messages, form, attempt), options),
      signal,
    );
  }

  return {
    name: id.text,
    ask: async (messages, form, signal) => {
      let refusal: ModelError | undefined;
      for (let mode: Mode | undefined = abilities.mode; ; ) {
        try {
          const answer = await askIn(mode, messages, form, signal);
          abilities.mode = mode;
          return answer;
        } catch (error) {
          if (!isRefusedRequest(error)) throw error;
          refusal ??= error;
          mode = lesserMode(mode, error, form !== undefined);
          if (mode === undefined) throw refusal;
        }
      }
    },
  };
}

async function connect(
  { id, baseUrl, apiKey }: LangChainChatOptions,
  temperature: number | undefined,
): Promise<ChatModel> {
  try {
    return await initChatModel(id.model, {
      modelProvider: id.provider,
      maxRetries: 0,
      // LangChain leaves out of its messages that a model has refused.
      ...(id.provider === 'openai' ? { __includeRawResponse: true } : {}),
      ...(temperature === undefined ? {} : { temperature }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(baseUrl === undefined ? {} : { baseUrl, configuration: { baseURL: baseUrl } }),
    });
  } catch (error) {
    throw new ModelError('configuration', `${id.text} cannot be used. ${error instanceof Error ? error.message : ''}`);
  }
}

function invoke(
  model: ChatModel,
  mode: Mode,
  messages: readonly ChatMessage[],
  form: AnswerForm | undefined,
  signal: AbortSignal,
) {
  const bySchema = mode.format === 'json-schema';
  const told = form === undefined || bySchema ? messages : messages.map((message) => withForm(message, form));
  const format =
    form === undefined || mode.format === 'words' ? {} : { response_format: responseFormat(form, bySchema) };
  return model.invoke(
    told.map(({ role, text }) => ({ role, content: text })),
    { signal, ...format } as Parameters<ChatModel['invoke']>[1],
  ) as Promise<AIMessage>;
}

function responseFormat({ name, jsonSchema }: AnswerForm, bySchema: boolean): object {
  if (!bySchema) return { type: 'json_object' };
  const format = { type: 'json_schema', json_schema: { name, schema: jsonSchema, strict: true } };
  // OpenAI's client would parse the answer itself, and throw the answer away when it is no JSON; with this it hands over the text.
  return Object.defineProperty(format, '$parseRaw', { value: (text: string) => text, enumerable: false });
}

function withForm(message: ChatMessage, form: AnswerForm): ChatMessage {
  if (message.role !== 'system') return message;
  const schema = JSON.stringify(form.jsonSchema);
  return {
    ...message,
    text: `${message.text}\n\nAnswer with one JSON object that fits this JSON Schema, and nothing else:\n${schema}`,
  };
}

function readAnswer(message: AIMessage, { id, task, onUsage }: LangChainChatOptions): string {
  const usage = message.usage_metadata as UsageMetadata | undefined;
  onUsage({
    task,
    model: id.text,
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
  });
  const reason = endOf(message.response_metadata);
  if (/content_filter|safety/i.test(reason) || isText(refusalIn(message)))
    throw new ModelError('refused', `${id.text}: the model refuses to answer.`);
  if (/length|max_(?:output_)?tokens/i.test(reason)) throw truncated(id.text);
  if (!isText(message.text)) throw new ModelError('empty', `${id.text}: the answer is empty.`);
  return message.text;
}

function refusalIn({ additional_kwargs: extra }: AIMessage): unknown {
  const raw = extra.__raw_response as { choices?: { message?: { refusal?: unknown } }[] } | undefined;
  return raw?.choices?.[0]?.message?.refusal ?? extra.refusal;
}

/** Why the model stopped, by the names that the two protocols of OpenAI have for it. */
function endOf(metadata: Readonly<Record<string, unknown>>): string {
  const { finish_reason: reason, incomplete_details: details } = metadata;
  if (typeof details === 'object' && details !== null && 'reason' in details) return String(details.reason);
  return String(reason ?? '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
