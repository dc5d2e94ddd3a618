import { expect, it } from 'vitest';
import { isUserRole, speakerOf } from './speaker.ts';

it.each([
  ['Alice: I moved.', 'Alice'],
  ['Mary-Jane O’Neil: hi', 'Mary-Jane O’Neil'],
  ['José: olá', 'José'],
  ['user: I moved.', 'user'],
  ['assistant: Certainly!', 'assistant'],
  ['note: buy milk', undefined],
  ['At 10:30 we left.', undefined],
  ['https://example.org', undefined],
])('finds the speaker of %j', (text, speaker) => {
  expect(speakerOf(text)).toBe(speaker);
});

it('tells the user from others', () => {
  expect(['user', 'User', 'human', 'Ann', 'assistant'].filter(isUserRole)).toEqual(['user', 'User', 'human']);
});
