import type { SearchReply } from '@mneme/contracts';
import { atFullLength } from '@mneme/local-stack/testing';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../system/eventually.ts';
import type { HttpClient } from '../system/http-client.ts';
import { shareSystem } from '../system/shared-system.ts';

// Of such memories, each one is about as similar to a question about them as any other.

interface Kind {
  readonly name: string;
  readonly memory: (index: number) => string;
  readonly questions: readonly string[];
}

const pick = (choices: readonly string[], index: number) => choices[index % choices.length];

const expenses: Kind = {
  name: 'expenses',
  memory: (index) => {
    const things = ['groceries at Lidl', 'coffee at Nero', 'petrol', 'a train ticket', 'lunch with Sara', 'a film'];
    return `Paid ${5 + ((index * 13) % 190)} euros for ${pick(things, index)}.`;
  },
  questions: ['What are my travel costs?', 'How much do I spend on food?', 'What did I pay for?'],
};

/** Not looked at when it was chosen how close memories have to be. */
const checked: readonly Kind[] = [
  {
    name: 'plants',
    memory: (index) => {
      const plants = ['tomatoes', 'basil', 'roses', 'lemon tree', 'ferns'];
      return `Watered the ${pick(plants, index)} with ${1 + (index % 9)} litres at ${6 + (index % 14)}:${10 + (index % 49)}.`;
    },
    questions: [
      'How much water did the roses get?',
      'Which plants did I take care of?',
      'When was the garden watered?',
      'Did I look after the herbs?',
    ],
  },
  {
    name: 'medicines',
    memory: (index) => {
      const drugs = [
        '400 mg ibuprofen',
        'one vitamin D tablet',
        'a puff of the inhaler',
        'cough syrup',
        '5 mg cetirizine',
      ];
      const times = ['after breakfast', 'before bed', 'at noon', 'during the night'];
      return `Took ${pick(drugs, index)} ${pick(times, index * 3)}, day ${index}.`;
    },
    questions: [
      'Which medication do I take?',
      'When did I use the inhaler?',
      'Do I take anything for allergies?',
      'What do I swallow in the morning?',
    ],
  },
  {
    name: 'bugs',
    memory: (index) => {
      const parts = ['login page', 'export', 'search box', 'settings dialog', 'payment form'];
      const faults = [
        'crashes on Firefox',
        'is slow',
        'shows the wrong language',
        'loses input',
        'ignores the Enter key',
      ];
      return `Bug ${1000 + index}: the ${pick(parts, index)} ${pick(faults, index * 3)}.`;
    },
    questions: [
      'What is broken in the payment form?',
      'Which parts of the app have performance problems?',
      'What problems do browsers have?',
      'Where do users lose data?',
    ],
  },
  {
    name: 'guests',
    memory: (index) => {
      const guests = ['Mr Lang', 'Ms Ito', 'Dr Silva', 'the Khan family', 'Mrs Berg'];
      const wishes = ['with breakfast', 'without breakfast', 'with a cot', 'with late check-out'];
      const stay = `booked by ${pick(guests, index)} for ${1 + (index % 7)} nights`;
      return `Room ${100 + (index % 60)} was ${stay} ${pick(wishes, index * 3)}.`;
    },
    questions: [
      'Who stayed at the hotel?',
      'Which guests had a baby bed?',
      'Which reservations included a meal?',
      'How long did Dr Silva stay?',
    ],
  },
  {
    name: 'birds',
    memory: (index) => {
      const birds = ['blackbirds', 'herons', 'swifts', 'great tits', 'kingfishers'];
      const places = ['by the pond', 'over the roof', 'in the hedge', 'at the feeder'];
      return `Saw ${1 + (index % 8)} ${pick(birds, index)} ${pick(places, index * 3)}, walk ${index}.`;
    },
    questions: [
      'Which birds have I seen?',
      'Where do kingfishers live?',
      'What animals come to the feeder?',
      'Did I observe any wildlife near water?',
    ],
  },
];

const offTopic = [
  'Which wines go with venison?',
  'What is the password of the payroll system?',
  'How tall is Mount Everest?',
  'Who won the chess championship?',
  'What does the lawyer advise about the contract?',
  'How do I tune a guitar?',
  'When does the museum open?',
  'Which river flows through Vienna?',
];

let http: HttpClient;
beforeAll(async () => {
  const system = await shareSystem({ EMBEDDING_MODEL: 'builtin:minilm' });
  http = await system.ownSpace();
  return system.release;
});

async function store({ name, memory }: Kind, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => ({ content: memory(index) }));
  const { status } = await http.post('/api/memories/batch', { agent_id: name, items });
  expect(status).toBe(200);
}

async function resultsOf({ name }: Kind, query: string): Promise<number> {
  return (await http.post<SearchReply>('/api/search', { agent_id: name, query })).body.results.length;
}

/** The questions that get no result. */
async function unanswered(kind: Kind, questions: readonly string[]): Promise<string[]> {
  const found = await Promise.all(questions.map((question) => resultsOf(kind, question)));
  return questions.filter((_, index) => found[index] === 0);
}

test('a question about them finds some, and one about something else none', async () => {
  await store(expenses, 200);
  // The vectors follow.
  await eventually('all questions are answered', async () => {
    return (await unanswered(expenses, expenses.questions)).length === 0;
  });
  expect(await unanswered(expenses, offTopic)).toEqual(offTopic);
});

test.runIf(atFullLength)('so it is for most questions about other kinds', async () => {
  for (const kind of checked) await store(kind, 300);
  await eventually('most questions are answered', async () => {
    const open = await Promise.all(checked.map((kind) => unanswered(kind, kind.questions)));
    return open.flat().length <= 2;
  });
  for (const kind of checked) expect(await unanswered(kind, offTopic)).toEqual(offTopic);
});
