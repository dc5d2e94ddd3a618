import { hash } from 'node:crypto';
import type { Metadata, MetadataFilter, MetadataScalar } from '@mneme/contracts';

/**
 * What a filter by metadata compares: one tag for each key, and one for each value of it, so that one index serves all
 * keys. Hashes, because values may be long and of any type. Sorted, without duplicates.
 */
export function tagsOf(metadata: Metadata): string[] {
  const tags = Object.entries(metadata).flatMap(([key, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return [keyTag(key), ...values.map((each) => valueTag(key, each))];
  });
  return [...new Set(tags)].sort();
}

/** The tags that a unit must have, at least one of each list, and those that it must not have. */
export interface TagFilter {
  readonly tags: readonly (readonly string[])[];
  readonly withoutTags: readonly string[];
}

export function tagFilter(filter: MetadataFilter): TagFilter {
  const tags: string[][] = [];
  const withoutTags: string[] = [];
  for (const [key, condition] of Object.entries(filter)) {
    if ('in' in condition) tags.push(condition.in.map((value) => valueTag(key, value)));
    else if (condition.exists) tags.push([keyTag(key)]);
    else withoutTags.push(keyTag(key));
  }
  return { tags, withoutTags };
}

function keyTag(key: string): string {
  return tagOf([key]);
}

function valueTag(key: string, value: MetadataScalar): string {
  return tagOf([key, value]);
}

function tagOf(parts: readonly MetadataScalar[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 16);
}
