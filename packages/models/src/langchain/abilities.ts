import { ModelError } from '../model-error.ts';

/** Ways to ask for JSON, the best first: by a JSON Schema that the server enforces, by its JSON mode, by words alone. */
const formats = ['json-schema', 'json-object', 'words'] as const;

/** What of a request a server takes. Servers that speak the same protocol differ in this. */
export interface Mode {
  readonly format: (typeof formats)[number];
  /** Some models that think first take no temperature. */
  readonly hasTemperature: boolean;
}

/** What is known about one model of one server. */
export interface Abilities {
  mode: Mode;
}

export function createAbilities(): Abilities {
  return { mode: { format: 'json-schema', hasTemperature: true } };
}

const refusedStatuses = [400, 415, 422, 501];

/** Whether the server did not take the request as it was asked; what else fails has nothing to do with the mode. */
export function isRefusedRequest(error: unknown): error is ModelError {
  return error instanceof ModelError && error.status !== undefined && refusedStatuses.includes(error.status);
}

/** What to try after a request was refused; undefined when asking differently cannot help. */
export function lesserMode(mode: Mode, { message }: ModelError, wantsForm: boolean): Mode | undefined {
  if (mode.hasTemperature && /temperature/i.test(message)) return { ...mode, hasTemperature: false };
  const format = formats[formats.indexOf(mode.format) + 1];
  return wantsForm && format !== undefined ? { ...mode, format } : undefined;
}
