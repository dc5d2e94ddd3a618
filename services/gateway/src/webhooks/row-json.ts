import type { RowOfTable } from '@mneme/contracts';

/** A row as JSON. Its values are put together as they are written, so that no number in them changes. */
export function rowJson({ id, created_at, values }: RowOfTable): string {
  const members = values.map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  return `{"id":${id},"created_at":${JSON.stringify(created_at)},"values":{${members.join(',')}}}`;
}
