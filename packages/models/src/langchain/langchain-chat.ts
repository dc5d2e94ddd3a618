import type { AIMessage, UsageMetadata } from '@langchain/core/messages';
import { initChatModel } from 'langchain/chat_models/universal';
import { isRefusedRequest, saidIn, truncated } from '../client/failure.ts';
import { createModelFetch } from '../client/model-fetch.ts';
import type { RequestPolicy } from '../client/request-policy.ts';
import { ModelError } from '../model-error.ts';
import type { ModelUsage } from '../models.ts';
import type { AnswerForm, Chat, ChatMessage, ModelId } from './chat.ts';
export interface LangChainChatOptions {
  readonly id: ModelId;
  readonly task: ModelUsage['task'];
  readonly temperature: number;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly policy: RequestPolicy;
  readonly abilities: Abilities;
  readonly clock: () => Date;
  readonly onUsage: (usage: ModelUsage) => void;
}

type ChatModel = Awaited<ReturnType<typeof initChatModel>>;

/**
 * A language model through LangChain's `initChatModel`. LangChain's own retries are off, since the request policy retries
 * (see `docs/decisions/0023-langchain-as-the-model-client.md`).
 */
export async function createLangChainChat(options: LangChainChatOptions): Promise<Chat> {
  const { id, abilities, policy, clock } = options;
  const send = createModelFetch();
  const [tempered, untempered] = await Promise.all([
    connect(options, options.temperature, send),
    connect(options, undefined, send),
  ]);

  function askIn(
    mode: Mode,
    messages: readonly ChatMessage[],
    form: AnswerForm | undefined,
    signal: AbortSignal | undefined,
  ) {
    const model = mode.hasTemperature ? tempered : untempered;
    return policy.run(
      id.text,
      async (attempt) => readAnswer(await invoke(model, mode, messages, form, attempt), options),
      signal,
    );
  }

  return {
    name: id.text,
    ask: async (messages, form, signal) => {
      let refusal: ModelError | undefined;
      for (let mode: Mode | undefined = modeToTry(abilities, clock()); ; ) {
        try {
          const answer = await askIn(mode, messages, form, signal);
          if (mode !== abilities.mode) Object.assign(abilities, { mode, since: clock() });
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
  send: typeof fetch,
): Promise<ChatModel> {
  try {
    return await initChatModel(id.model, {
      modelProvider: id.provider,
      maxRetries: 0,
      ...(temperature === undefined ? {} : { temperature }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(baseUrl === undefined ? {} : { baseUrl, configuration: { baseURL: baseUrl } }),
      ...(id.provider === 'openai' ? openAiOptions(baseUrl, send) : {}),
    });
  } catch (error) {
    throw new ModelError('configuration', `${id.text} cannot be used. ${error instanceof Error ? error.message : ''}`);
  }
}

function openAiOptions(baseUrl: string | undefined, send: typeof fetch): object {
  return {
    // LangChain's messages lack the model's refusal; only the raw response has it.
    __includeRawResponse: true,
    configuration: { ...(baseUrl !== undefined && { baseURL: baseUrl }), fetch: send },
  };
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
  // OpenAI's client would parse the answer, and discard it when it is not JSON. With this property it returns the text.
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

/** Why the model stopped, under the name that either of OpenAI's two protocols uses. */
function endOf(metadata: Readonly<Record<string, unknown>>): string {
  const { finish_reason: reason, incomplete_details: details } = metadata;
  if (typeof details === 'object' && details !== null && 'reason' in details) return String(details.reason);
  return String(reason ?? '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Ways to request JSON, the best first: a JSON Schema that the server enforces, its JSON mode, the prompt alone. */
const formats = ['json-schema', 'json-object', 'words'] as const;

/** What a server accepts. Servers of the same protocol differ in this. */
interface Mode {
  readonly format: (typeof formats)[number];
  /** Some reasoning models accept no temperature. */
  readonly hasTemperature: boolean;
}

/** What is known about one model of one server; shared by its tasks. */
export interface Abilities {
  mode: Mode;
  /** Since when this mode is used. */
  since: Date;
}

const bestMode: Mode = { format: 'json-schema', hasTemperature: true };
/** When the best mode is tried again, in milliseconds: the server may have been another one, or learnt it. */
const lesserModeMs = 10 * 60_000;

export function createAbilities(): Abilities {
  return { mode: bestMode, since: new Date(0) };
}

function modeToTry({ mode, since }: Abilities, now: Date): Mode {
  return now.getTime() - since.getTime() < lesserModeMs ? mode : bestMode;
}

const aboutForm = /response[_ ]?format|json|schema|structured|grammar|guided|(?:not|un)[_ -]?support/i;

/** What a refusal is about that no other mode helps with. */
const aboutElse =
  /context|token|length|too (?:long|large|many)|content[_ -]?(?:policy|filter|management)|safety|quota|billing/i;

/** What to try after a refused request; undefined when no other mode can help. */
function lesserMode(mode: Mode, refusal: ModelError, wantsForm: boolean): Mode | undefined {
  const said = saidIn(refusal);
  if (mode.hasTemperature && said !== undefined && /temperature/i.test(said)) return { ...mode, hasTemperature: false };
  // Many servers do not say what they refuse ("Bad Request").
  if (said !== undefined && aboutElse.test(said) && !aboutForm.test(said)) return undefined;
  const format = formats[formats.indexOf(mode.format) + 1];
  return wantsForm && format !== undefined ? { ...mode, format } : undefined;
}
