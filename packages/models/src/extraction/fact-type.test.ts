import { describe, expect, test } from 'vitest';
import type { ExtractionItem } from '../ports.ts';
import { createRuleExtractor } from './rule-extractor.ts';

type Said = Pick<ExtractionItem, 'role' | 'agentName'>;

async function typeOf(content: string, said: Said = {}): Promise<string | undefined> {
  const item = { content, eventDate: '2023-05-08T13:56:00Z', context: null, ...said };
  const [fact] = await createRuleExtractor().extract(item);
  return fact?.factType;
}

describe('the type of a fact', () => {
  test.each([
    ['Paris is the capital of France.', 'world'],
    ['I live in Berlin.', 'world'],
    ['My name is Anna and I have two cats.', 'world'],
    ['I booked a flight to Rome.', 'world'],
    ['The user thinks that tea is better than coffee.', 'world'],
    ['The user prefers tea.', 'world'],
    ['Anna believes in ghosts.', 'world'],
    ['Anna: I think tea is better than coffee.', 'world'],
    ['Anna: I booked a flight for the user.', 'world'],
    ['Anna: The agent booked my flight.', 'world'],
    ['User: I think that is great.', 'world'],
    ['user: I prefer tea', 'world'],
    ['anna_92: i think tea is better', 'world'],
    ['[10:42] Anna: I think so too, I believe it.', 'world'],
    ['**Anna**: I think tea is better.', 'world'],
    ['Anna (10:42): I think tea is better.', 'world'],
    ['Anna said: "I think tea is better."', 'world'],
    ['Anna told me I think too much.', 'world'],
    ['Alice thinks I prefer tea.', 'world'],
    ['My boss assumes that I prefer remote work.', 'world'],
    ['Tom suggested that I prefer Rome.', 'world'],
    ['You think I prefer tea.', 'world'],
    ['Tom said that the agent booked the wrong hotel.', 'world'],
    ['Do I prefer tea or coffee?', 'world'],
    ['You wrote:\n> I think Rome is too hot.', 'world'],
    ['Anna thinks Rome is nice, but I prefer Milan.', 'opinion'],
    ['After the customer complained, the assistant refunded the order.', 'agent'],
    ['When the user asked, the agent booked a flight.', 'agent'],
    ['As expected, the agent booked the room.', 'agent'],
    ['The code suggested by the assistant was merged.', 'agent'],
    ['According to her, I think too much.', 'world'],
    ['Tom said, as you asked, I think too much.', 'world'],
    ['After Anna said that I think too much, she left.', 'world'],
    ['I said that I prefer tea.', 'opinion'],
    ['I think Tom said that I prefer tea.', 'opinion'],
    ['I think Rome is better, do you agree?', 'opinion'],
    ['I think about him every day.', 'world'],
    ['The assistant manager booked a room.', 'world'],
    ["The agent's car was red.", 'world'],
    ['The travel agent booked a room.', 'world'],
    ['The agent booked a flight to Rome.', 'agent'],
    ['The assistant has sent the report to Anna.', 'agent'],
    ['The report was sent by the assistant.', 'agent'],
    ['I (the agent) did the shopping.', 'agent'],
    ['I, the assistant, wrote a summary.', 'agent'],
    ['As an AI assistant, I translated the letter.', 'agent'],
    ['I recommended a restaurant to the user.', 'agent'],
    ["I've already sent the invoice to the customer.", 'agent'],
    ['Assistant: I booked the flight.', 'agent'],
    ['Agent: I have sent the report.', 'agent'],
    ['Assistant: Paris is the capital of France.', 'world'],
    ['I think tea is better than coffee.', 'opinion'],
    ["I don't think that works.", 'opinion'],
    ['I believe the market will grow.', 'opinion'],
    ['I prefer short answers.', 'opinion'],
    ['In my opinion the film is too long.', 'opinion'],
    ["I'm convinced that it helps.", 'opinion'],
    ['The agent thinks that tea is better.', 'opinion'],
    ['The assistant believes the user is right.', 'opinion'],
    ['Assistant: I think you should rest.', 'opinion'],
    ['I wrote to the landlord for the user, he replied on Monday.', 'agent'],
    ['I called the restaurant for the user, they said at 19:00.', 'agent'],
    ['The agent asked the hotel about breakfast, they answered.', 'agent'],
    ['The assistant sent the file to Anna, Anna replied on Monday.', 'agent'],
    ['As an AI assistant, I asked the clerk, the clerk explained.', 'agent'],
    ["'I booked a table for the user,' she said.", 'world'],
    ["'The agent booked a table,' said the mayor.", 'world'],
    ['"I called the restaurant for the user," she explained.', 'world'],
    ['“The assistant sent the file,” Anna wrote.', 'world'],
    ['The agent thinks that tea is better, Anna said.', 'world'],
    ['I believe that I called the hotel for the user, she said.', 'world'],
  ])('%s → %s', async (content, expected) => {
    expect(await typeOf(content)).toBe(expected);
  });

  test('in a long item each fact has its own', async () => {
    const world = 'The town lies on the river and has a market every week, with fish and bread and flowers. '.repeat(3);
    const content = `${world}The agent booked a room for two nights in the old town. ${world}`;
    const facts = await createRuleExtractor().extract({ content, eventDate: '2023-05-08T13:56:00Z', context: null });
    expect(facts.map(({ factType }) => factType)).toEqual([
      ...['world', 'world', 'world', 'agent'],
      ...['world', 'world', 'world'],
    ]);
  });

  test.each<[string, Said, string]>([
    ['I recommended Yosemite to Alice.', { role: 'assistant' }, 'agent'],
    ['I will send the ticket tomorrow.', { role: 'assistant' }, 'agent'],
    ['I suggest the early train.', { role: 'assistant' }, 'agent'],
    ['I think the early train is better.', { role: 'assistant' }, 'opinion'],
    ['I asked Anna about the flight, she answered on Monday.', { role: 'assistant' }, 'agent'],
    ['I wrote to the landlord, he replied on Monday.', { role: 'assistant' }, 'agent'],
    ['I sent the file, she replied.', { role: 'assistant' }, 'agent'],
    ['I told the landlord about the leak, he explained.', { role: 'assistant' }, 'agent'],
    ['I have called the hotel, the manager said at noon.', { role: 'assistant' }, 'agent'],
    ["'I have called the hotel,' the manager said.", { role: 'assistant' }, 'world'],
    ['I think the hotel is bad, the manager said.', { role: 'assistant' }, 'world'],
    ['The early train leaves at six.', { role: 'assistant' }, 'world'],
    ['Anna claims that I sent the wrong invoice.', { role: 'assistant' }, 'world'],
    ['You said that I booked the wrong hotel.', { role: 'assistant' }, 'world'],
    ['Anna hopes I will find a cheaper flight.', { role: 'assistant' }, 'world'],
    ['Have I sent you the invoice?', { role: 'assistant' }, 'world'],
    ['If I found a cheaper flight, would you take it?', { role: 'assistant' }, 'world'],
    ['Once I have received your documents, we can go on.', { role: 'assistant' }, 'world'],
    ['I told Alice that I booked the room.', { role: 'assistant' }, 'agent'],
    ['You asked for a quiet room, so I booked the Avenida.', { role: 'assistant' }, 'agent'],
    ['After Anna asked for a room, I booked the Avenida.', { role: 'assistant' }, 'agent'],
    ['The answers I sent were right.', { role: 'assistant' }, 'agent'],
    ['As you asked, I booked a table for two.', { role: 'assistant' }, 'agent'],
    ['As you asked I booked the room.', { role: 'assistant' }, 'agent'],
    ['Based on what you said, I recommend Rome.', { role: 'assistant' }, 'agent'],
    ['For the dates you mentioned I recommend Florence.', { role: 'assistant' }, 'agent'],
    ['The user asked about flights — I found three.', { role: 'assistant' }, 'agent'],
    ["According to TripAdvisor, I'd recommend Chez Paul.", { role: 'assistant' }, 'agent'],
    ['As suggested, I updated the config.', { role: 'assistant' }, 'agent'],
    ['As mentioned, I sent the report to Anna.', { role: 'assistant' }, 'agent'],
    ['As expected, I found nothing.', { role: 'assistant' }, 'agent'],
    ['When you asked, I searched the web.', { role: 'assistant' }, 'agent'],
    ['Until you answer, I will wait.', { role: 'assistant' }, 'agent'],
    ['According to your preferences, I found three hotels.', { role: 'assistant' }, 'agent'],
    ['According to the reviews, I think Hotel Roma is best.', { role: 'assistant' }, 'opinion'],
    ['As mentioned, I think Rome is too hot.', { role: 'assistant' }, 'opinion'],
    ['As you suggested, I believe trains are the better choice.', { role: 'assistant' }, 'opinion'],
    ['Until I have found a room, we wait.', { role: 'assistant' }, 'world'],
    ['Alice: I booked a room for two nights.', { role: 'assistant' }, 'world'],
    ['I recommended Yosemite to Alice.', { role: 'user' }, 'world'],
    ['I think the early train is better.', { role: 'user' }, 'world'],
    ['The agent booked a flight to Rome.', { role: 'user' }, 'world'],
    ['Assistant: I booked the flight.', { role: 'user' }, 'world'],
    ['I sent the message to the user.', { role: 'tool' }, 'world'],
    ['I believe in short answers.', { role: 'system' }, 'world'],
    ['Mira: I recommended Yosemite to Alice.', { agentName: 'mira' }, 'agent'],
    ['Travel Desk: I recommended Yosemite to Alice.', { agentName: 'travel-desk' }, 'agent'],
    ['Mira: I recommended Yosemite to Alice.', { agentName: 'mira', role: 'user' }, 'world'],
    ['Alice: I booked a room.', { agentName: 'mira' }, 'world'],
  ])('%s %j → %s', async (content, said, expected) => {
    expect(await typeOf(content, said)).toBe(expected);
  });
});
