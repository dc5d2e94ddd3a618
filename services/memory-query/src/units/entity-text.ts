import type { Entity } from '@mneme/contracts';

/** Entities as the lists show them: `Name (TYPE), ...`. */
export function entityText(entities: readonly Entity[]): string {
  return entities.map(({ name, type }) => `${name} (${type})`).join(', ');
}
