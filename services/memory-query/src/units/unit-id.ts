import { v5 } from 'uuid';

const namespace = '6f2f0a5e-2f0b-5c1c-9a39-6d6e656d6531';

/** The id of the unit that a fact becomes: the same whenever the log is replayed. */
export function unitId(operationId: string, factIndex: number): string {
  return v5(`${operationId}:${factIndex}`, namespace);
}
