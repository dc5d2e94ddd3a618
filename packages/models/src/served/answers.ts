import { z } from 'zod';
import type { AnswerForm, Chat, ChatMessage } from '../langchain/chat.ts';
import { ModelError } from '../model-error.ts';
import { unquoted } from '../prompts/quoted.ts';
import { beginsWithRefusal } from './refusal.ts';

export interface TextRequest {
  readonly system: string;
  readonly user: string;
}

/**
 * Asks for plain text.
 *
 * @throws ModelError `empty` for a blank answer
 */
export async function askText(
  chat: Chat,
  { system, user }: TextRequest,
  signal: AbortSignal | undefined,
): Promise<string> {
  const messages: ChatMessage[] = [
    { role: 'system', text: system },
    { role: 'user', text: user },
  ];
  const text = withoutThoughts(await chat.ask(messages, undefined, signal)).toWellFormed();
  if (text === '') throw new ModelError('empty', `${chat.name}: the answer is empty.`);
  return text;
}

export interface StructuredRequest<T> extends TextRequest {
  /** Name of the form, for the server. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

type Reading<T> = { readonly value: T } | { readonly fault: string };

/** At most this many faults of an answer are reported to the model. */
const maxFaults = 8;

/**
 * Asks for an answer of a given form. A wrong answer is sent back once, with its faults.
 *
 * @throws ModelError `invalid-output` when the second answer is wrong too
 */
export async function askStructured<T>(chat: Chat, request: StructuredRequest<T>, signal?: AbortSignal): Promise<T> {
  const form = { name: request.name, jsonSchema: jsonSchemaOf(request.schema) };
  const messages: ChatMessage[] = [
    { role: 'system', text: request.system },
    { role: 'user', text: request.user },
  ];
  const answer = await chat.ask(messages, form, signal);
  const first = read(answer, request.schema);
  if ('value' in first) return first.value;
  const again = await askAgain(chat, messages, answer, first.fault, form, signal);
  const second = read(again, request.schema);
  if ('value' in second) return second.value;
  throw faultyAnswer(chat.name, again, second.fault);
}

function faultyAnswer(model: string, answer: string, fault: string): ModelError {
  if (beginsWithRefusal(answer)) return new ModelError('refused', `${model}: the model refuses to answer.`);
  return new ModelError('invalid-output', `${model}: the answer does not have the form that was asked for. ${fault}`);
}

function askAgain(
  chat: Chat,
  messages: readonly ChatMessage[],
  answer: string,
  fault: string,
  form: AnswerForm,
  signal?: AbortSignal,
) {
  const repair = `That answer cannot be used. ${fault}\nGive the whole answer again, corrected, as one JSON object and nothing else.`;
  return chat.ask([...messages, { role: 'assistant', text: answer }, { role: 'user', text: repair }], form, signal);
}

function read<T>(answer: string, schema: z.ZodType<T>): Reading<T> {
  let json: unknown;
  try {
    json = readJson(answer);
  } catch {
    return { fault: 'It is not valid JSON.' };
  }
  const parsed = schema.safeParse(json);
  return parsed.success ? { value: parsed.data } : { fault: faultsOf(parsed.error) };
}

function faultsOf(error: z.ZodError): string {
  const faults = error.issues
    .slice(0, maxFaults)
    .map(({ path, message }) => `${path.join('.') || 'The answer'}: ${message}.`);
  return faults.join(' ');
}

/** By schema, since the same few schemas are used in every request. */
const jsonSchemas = new WeakMap<z.ZodType, Record<string, unknown>>();

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema);
  jsonSchemas.set(schema, jsonSchema);
  return jsonSchema;
}

const fence = '```';

/**
 * Reads the JSON of an answer, also from a code fence, after a reasoning block, or between sentences.
 *
 * @throws SyntaxError when there is none
 */
export function readJson(answer: string): unknown {
  const text = withoutThoughts(answer);
  let firstError: unknown;
  for (const candidate of [text, betweenFences(text), betweenBraces(text)]) {
    if (candidate === undefined) continue;
    try {
      return JSON.parse(candidate);
    } catch (error) {
      firstError ??= error;
    }
  }
  throw firstError;
}

/** The content of the first code fence, without the name of its language. */
function betweenFences(text: string): string | undefined {
  const start = text.indexOf(fence);
  const end = start < 0 ? -1 : text.indexOf(fence, start + fence.length);
  return end < 0 ? undefined : text.slice(start + fence.length, end).replace(/^[a-z]+/i, '');
}

function betweenBraces(text: string): string | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  return start < 0 || end <= start ? undefined : text.slice(start, end + 1);
}

const thoughts = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/i;
const endOfThoughts = /<\/(?:think|thinking|reasoning)>/i;

/**
 * The answer without the reasoning that some models write first, and with `<` as it was before quoting. The opening mark is
 * missing where the template of the chat has already written it.
 */
function withoutThoughts(answer: string): string {
  const bare = answer.replace(thoughts, '');
  return unquoted(bare === answer ? afterThoughts(answer) : bare).trim();
}

/** JSON, and text that contains an opening mark as well, only mentions the mark. */
function afterThoughts(answer: string): string {
  const end = endOfThoughts.exec(answer);
  if (end === null || /^\s*[{[]/.test(answer)) return answer;
  const isMentioned = answer.slice(0, end.index).toLowerCase().includes(end[0].toLowerCase().replace('/', ''));
  return isMentioned ? answer : answer.slice(end.index + end[0].length);
}
