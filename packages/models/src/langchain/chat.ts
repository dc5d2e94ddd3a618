/** A model as configured: `openai:gpt-4o-mini`. */
export interface ModelId {
  readonly provider: string;
  readonly model: string;
  readonly text: string;
}

/** The model's own name may contain colons, as in `openai:llama3:8b`. */
export function readModelId(text: string): ModelId {
  const colon = text.indexOf(':');
  return { provider: text.slice(0, colon), model: text.slice(colon + 1), text };
}

/** The form that an answer must have. */
export interface AnswerForm {
  /** Letters, digits and `_`; some servers require a name. */
  readonly name: string;
  readonly jsonSchema: Readonly<Record<string, unknown>>;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** A language model, set up for one task. */
export interface Chat {
  /** `<provider>:<model>` */
  readonly name: string;
  /**
   * @param form requested from the server, but not every server enforces it: the answer has to be checked
   * @returns the answer, never blank
   * @throws ModelError; the signal's reason when it is aborted
   */
  ask(messages: readonly ChatMessage[], form?: AnswerForm, signal?: AbortSignal): Promise<string>;
}
