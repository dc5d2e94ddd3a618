/** Parts of the protocol that not every server knows. One that is missing is answered with 400, as real servers do. */
export interface ServerAbilities {
  readonly jsonSchema: boolean;
  readonly jsonObject: boolean;
  readonly temperature: boolean;
  /** Whether vectors can be asked for in another length. */
  readonly dimensions: boolean;
  /** Whether texts to rerank may be called `documents`; where not, they are `texts`, and a bare list is the answer. */
  readonly documents: boolean;
}

/** What a server without some abilities says to a request; undefined when it takes it. */
export function refusalOf(
  body: Readonly<Record<string, unknown>>,
  abilities: Partial<ServerAbilities>,
): string | undefined {
  const format = (body.response_format as { type?: unknown } | undefined)?.type;
  if (abilities.jsonSchema === false && format === 'json_schema')
    return "Invalid value for 'response_format': 'json_schema' is not supported";
  if (abilities.jsonObject === false && format === 'json_object')
    return "Invalid value for 'response_format': 'json_object' is not supported";
  if (abilities.temperature === false && body.temperature !== undefined)
    return "Unsupported value: 'temperature' does not support this value with this model.";
  if (abilities.dimensions === false && body.dimensions !== undefined)
    return 'This model does not support matryoshka representation, changing output dimensions is not possible.';
  if (abilities.documents === false && body.documents !== undefined)
    return 'Failed to deserialize the JSON body into the target type: missing field `texts`';
  return undefined;
}
