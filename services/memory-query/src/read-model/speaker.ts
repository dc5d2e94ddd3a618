import type { Unit } from './rows.ts';

const name = String.raw`\p{Lu}[\p{L}\p{M}\p{N}.'’ -]{0,40}`;
const speakerPrefix = new RegExp(`^(${name}|user|human|assistant|agent|system|tool): `, 'u');
const userRoles = new Set(['user', 'human']);

/** The speaker of a text of the form `Name: what was said` or `user: ...`; undefined for any other text. */
export function speakerOf(text: string): string | undefined {
  return speakerPrefix.exec(text)?.[1];
}

/** What is said in a text of one of these forms; any other text as it is. */
export function withoutSpeaker(text: string): string {
  return text.replace(speakerPrefix, '');
}

/** Whether the speaker is the person whom the agent talks to, as roles of chats name it. */
export function isUserRole(speaker: string): boolean {
  return userRoles.has(speaker.toLowerCase());
}

/** The speaker whom the text of a unit names, or else the role that the caller gave its item. */
export function speakerOfUnit({ text, role }: Pick<Unit, 'text' | 'role'>): string | undefined {
  return speakerOf(text) ?? role ?? undefined;
}
