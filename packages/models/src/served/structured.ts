import { z } from 'zod';
import type { AnswerForm, Chat, ChatMessage } from '../langchain/chat.ts';
import { ModelError } from '../model-error.ts';
import { readJson } from './json-text.ts';

export interface StructuredRequest<T> {
  /** Name of the form, for the server. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly system: string;
  readonly user: string;
}

type Reading<T> = { readonly value: T } | { readonly fault: string };

/** How models say no where they should have given JSON. */
const refusal =
  /^\W*(?:I['’]m sorry|I am sorry|sorry|I can(?:no|['’])t|I am (?:unable|not able)|I['’]m (?:unable|not able))\b/i;
/** So many faults of an answer are told to the model. */
const maxFaults = 8;

/**
 * Asks for an answer of a given form. An answer of another form is sent back once, with its faults.
 * @throws ModelError `invalid-output` when the second answer is no better
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
  if (refusal.test(answer)) return new ModelError('refused', `${model}: the model refuses to answer.`);
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

/** There is one schema for each question, and it is asked with every text. */
const jsonSchemas = new WeakMap<z.ZodType, Record<string, unknown>>();

function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const known = jsonSchemas.get(schema);
  if (known) return known;
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema);
  jsonSchemas.set(schema, jsonSchema);
  return jsonSchema;
}
