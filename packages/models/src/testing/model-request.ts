import type { IncomingHttpHeaders } from 'node:http';
import * as background from '../prompts/background.v3.ts';
import * as extract from '../prompts/extract.v3.ts';
import * as opinions from '../prompts/opinions.v4.ts';
import * as think from '../prompts/think.v2.ts';

/** The task of a request. `other` is for requests without a prompt of Mneme, such as those of other programs. */
export type StandInTask =
  | 'extract'
  | 'think'
  | 'opinions'
  | 'revise'
  | 'background'
  | 'traits'
  | 'embed'
  | 'rerank'
  | 'other';

/** A received request. */
export interface ModelRequest {
  readonly task: StandInTask;
  /** `/v1/chat/completions`, `/v1/embeddings` or `/v1/rerank`. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  /** Text of all messages, or of all texts to embed, one after the other. */
  readonly text: string;
  /** Text of the last message of the user. */
  readonly prompt: string;
}

export interface WireMessage {
  readonly role: string;
  readonly text: string;
}

const systems: readonly (readonly [StandInTask, string])[] = [
  ['extract', extract.system],
  ['think', think.system],
  ['opinions', opinions.formSystem],
  ['revise', opinions.reviseSystem],
  ['background', background.mergeSystem],
  ['traits', background.traitsSystem],
];

export function readModelRequest(
  path: string,
  headers: IncomingHttpHeaders,
  body: Readonly<Record<string, unknown>>,
): ModelRequest {
  if (path.endsWith('/embeddings')) {
    const text = inputsOf(body).join('\n');
    return { task: 'embed', path, headers, body, text, prompt: text };
  }
  if (path.endsWith('/rerank')) {
    const prompt = String(body.query ?? '');
    return { task: 'rerank', path, headers, body, text: [prompt, ...documentsOf(body)].join('\n'), prompt };
  }
  const messages = messagesOf(body);
  return {
    task: taskOf(messages),
    path,
    headers,
    body,
    text: messages.map((message) => message.text).join('\n'),
    prompt: messages.findLast(({ role }) => role === 'user')?.text ?? '',
  };
}

function taskOf(messages: readonly WireMessage[]): StandInTask {
  const first = messages[0]?.text ?? '';
  return systems.find(([, system]) => first.startsWith(system))?.[0] ?? 'other';
}

/** The texts of a request to rerank, under either name. */
export function documentsOf({ documents, texts }: Readonly<Record<string, unknown>>): string[] {
  const given = documents ?? texts;
  return Array.isArray(given) ? given.map(String) : [];
}

/** The texts of a request for embeddings; a list of token numbers counts as a text. */
export function inputsOf({ input }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(input)) return [String(input ?? '')];
  const isOneListOfTokens = input.every((part) => typeof part === 'number');
  return isOneListOfTokens
    ? [input.join(' ')]
    : input.map((part) => (Array.isArray(part) ? part.join(' ') : String(part)));
}

function messagesOf({ messages }: Readonly<Record<string, unknown>>): WireMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.map((message: { role?: unknown; content?: unknown }) => ({
    role: String(message.role),
    text: textOf(message.content),
  }));
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content.map((part: { text?: unknown }) => String(part.text ?? '')).join('');
}
