import { expect, it } from 'vitest';
import { itemsOf } from './conversation.ts';

it('what is remembered of messages has no half of a surrogate pair, which the API would refuse', () => {
  const messages = [
    { role: 'user', content: 'hi \ud83d' },
    { role: 'assistant', content: [{ type: 'text', text: '\ude00 hello 👋' }] },
  ];
  expect(itemsOf(messages, {})).toMatchObject([{ content: 'hi \ufffd' }, { content: '\ufffd hello 👋' }]);
});
