/** A model as configured: `openai:gpt-4o-mini`. */
export interface ModelId {
  readonly provider: string;
  readonly model: string;
  readonly text: string;
}

/** The model's own name may hold colons, as in `openai:llama3:8b`. */
export function readModelId(text: string): ModelId {
  const colon = text.indexOf(':');
  return { provider: text.slice(0, colon), model: text.slice(colon + 1), text };
}
