import type { Entity, FactType } from '../ports.ts';
import { createEntityList } from './entity-finder.ts';
import type { StatementGroup } from './fact-groups.ts';
import type { Resolution } from './statements/pronouns.ts';
import type { Statement } from './statements/statements.ts';

export interface ReadStatement extends Statement {
  readonly entities: readonly Entity[];
  /** The pronoun at its start, if it is certain whom it means. */
  readonly resolution: Resolution | undefined;
}

/** A fact before its dates are known. */
export interface FactDraft {
  readonly text: string;
  /** The same without headings, whose date is not that of what they introduce. */
  readonly own: string;
  readonly factType: FactType;
  readonly entities: readonly Entity[];
}

/**
 * The wording of the item, with what a fact needs to be read alone: its speaker, the heading of its list, and a name in
 * place of the pronoun at the start of a sentence.
 */
export function draftOf({ members, factType, heading }: StatementGroup<ReadStatement>, text: string): FactDraft {
  const entities = createEntityList();
  for (const member of members) for (const { name, type } of member.entities) entities.add(name, type);
  const main = members.findIndex(({ kind }) => kind !== 'lead');
  return {
    text: textOf(members, heading, text),
    own: textOf(members.slice(Math.max(0, main)), undefined, text),
    factType,
    entities: entities.entities(),
  };
}

function textOf(members: readonly ReadStatement[], heading: ReadStatement | undefined, text: string): string {
  const [first] = members;
  if (first === undefined) return '';
  const own = wordingOf(members, text);
  const headed = heading === undefined ? own : `${text.slice(heading.bodyStart, heading.end).trim()}\n${own}`;
  const isNamed = first.speaker !== undefined && first.speaker.name !== '';
  const needsPrefix = isNamed && !first.isPrefixed && !first.hasOwnLabel;
  return needsPrefix ? `${first.speaker.name}: ${headed}` : headed;
}

function wordingOf(members: readonly ReadStatement[], text: string): string {
  const [first] = members;
  let wording = '';
  let copied = first?.start ?? 0;
  for (const { resolution, bodyStart } of members) {
    if (resolution === undefined) continue;
    wording += text.slice(copied, bodyStart + resolution.start) + resolution.subject;
    copied = bodyStart + resolution.end;
  }
  wording = (wording + text.slice(copied, members.at(-1)?.end)).trim();
  return first?.isDivided ? wording.charAt(0).toUpperCase() + wording.slice(1) : wording;
}
