import { isUuid, WireError } from '@mneme/contracts';

/**
 * Checks the id of an operation.
 * @returns it in lower case, as ids are stored
 * @throws WireError 400 when it is no UUID
 */
export function parseOperationId(text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new WireError({ status: 400, code: 'BAD_REQUEST', message: `Invalid operation_id format: ${text}` });
}
