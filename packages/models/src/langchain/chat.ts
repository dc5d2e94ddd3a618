/** The form that an answer has to have. */
export interface AnswerForm {
  /** Letters, digits and `_`; some servers want a name. */
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
   * @param form wanted, but not sure: the answer has to be checked
   * @returns the answer, never blank
   * @throws ModelError; the signal's reason when it is aborted
   */
  ask(messages: readonly ChatMessage[], form?: AnswerForm, signal?: AbortSignal): Promise<string>;
}
