import { List } from '@mantine/core';
import type { Personality } from '@mneme/client';
import { en } from '../../text/en.ts';
import { changedTraits } from './trait-names.ts';

const text = en.agents;

/** The traits that differ; nothing if none does. */
export function TraitChanges({ before, after }: { readonly before: Personality; readonly after: Personality }) {
  const changed = changedTraits(before, after);
  if (changed.length === 0) return null;
  return (
    <List size="sm">
      {changed.map((trait) => (
        <List.Item key={trait}>{text.traits.change(text.traits.names[trait], before[trait], after[trait])}</List.Item>
      ))}
    </List>
  );
}
