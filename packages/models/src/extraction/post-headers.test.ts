import { describe, expect, test } from 'vitest';
import { createRuleExtractor } from './rule-extractor.ts';

const extractor = createRuleExtractor();

/** Stored on a Monday. */
function extract(content: string) {
  return extractor.extract({ content, eventDate: '2026-11-16T10:00:00Z', context: null });
}

async function textsOf(content: string): Promise<string[]> {
  return (await extract(content)).map(({ text }) => text);
}

async function daysOf(content: string): Promise<(string | undefined)[]> {
  return (await extract(content)).map(({ eventDate }) => eventDate?.slice(0, 10));
}

describe('what is below a name and a time was said then', () => {
  test.each([
    'Anna Berg, [13.11.26 09:14]',
    'Anna Berg — 13.11.2026 09:14',
    'Anna Berg — 11/13/2026 9:14 AM',
    'Anna Berg\n — 11/13/2026 9:14 AM',
    'Anna Berg  Nov 13, 2026 at 9:14 AM',
    '[2026-11-13 09:14] Anna Berg',
  ])('%s', async (header) => {
    const content = `${header}\nI moved to Rome. My sister sold the boat.\n\nThe cat died yesterday.\n${header}\nThe boat has a new mast.`;
    expect(await daysOf(content)).toEqual(['2026-11-13', '2026-11-13', '2026-11-12', '2026-11-13']);
    expect(await textsOf(content)).toContain('Anna Berg: The cat died yesterday (12 November 2026).');
  });

  test('also yesterday, which is counted from the day when it was copied', async () => {
    const content =
      'Anna Berg — Yesterday at 9:14\nI moved. The cat died yesterday.\nBen Holt — Yesterday at 9:20\nThe van is full. I agree.\nAnna Berg — Today at 8:00\nThe boat is red.';
    expect(await daysOf(content)).toEqual(['2026-11-15', '2026-11-14', '2026-11-15', '2026-11-15', '2026-11-16']);
    expect((await textsOf(content))[2]).toBe('Ben Holt — Yesterday (15 November 2026) at 9:20\nThe van is full.');
  });

  test('up to a time without a day, and up to an empty line below the last one', async () => {
    const content =
      '[Yesterday 14:05] Anna Berg\nI moved.\n[08:02] Ben Holt\nThe van is full. I sold the boat yesterday.\n[13.11.2026 08:03] Anna Berg\nThe mast is old.\n\nThe boat is red.';
    expect(await daysOf(content)).toEqual(['2026-11-15', '2026-11-16', '2026-11-15', '2026-11-13', '2026-11-16']);
  });

  test('but neither on a day to come nor where day and month may be exchanged', async () => {
    const content = (date: string) => `Anna Berg — ${date} 09:14\nI moved to Rome. My sister sold the boat.`;
    expect(await daysOf(content('14.12.2026'))).toEqual(['2026-12-14', '2026-11-16']);
    expect(await daysOf(content('3/4/2026'))).toEqual(['2026-11-16', '2026-11-16']);
  });
});

describe('a name above a time speaks', () => {
  test.each([
    ['Anna Berg', '9:14 AM'],
    ['Anna Berg', '  09:14'],
    ['Anna Berg', '— Today at 9:14'],
    ['Xiuying Zhao', '11/13/2026 9:14 AM'],
  ])('%s, %s', async (name, time) => {
    const texts = await textsOf(
      `${name}\n${time}\nThe office moves. The lift is broken.\nBen Holt\n${time}\nI agree.\n${name}\n${time}\nThe desks are sold.`,
    );
    expect(texts[0]).toMatch(/\nThe office moves\.$/);
    expect(texts[1]).toBe(`${name}: The lift is broken.`);
  });

  test.each([
    'Breakfast\n8:00\neggs\nSwimming\n10:00\nThe pool is cold. The towel is new.',
    'Haircut\n10:00\nThe card is in the bag. The towel is new.',
    'Grocery Shopping\n10:00\nThe card is in the bag. The towel is new.',
    'Anna\n14:30\nThe knee hurts. The towel is new.',
    'Dr. Smith\n10:30 AM\nThe x-ray is ready.\nAnna Berg\n18:00\nThe bag is packed. The towel is new.',
    'Dr. Smith\n14.11.2026 10:30\nThe x-ray is ready. The towel is new.',
    'Paris\n10:00\nThe train is late. The towel is new.',
    'Anna Berg\n10:30\nI bring the plan.\nTom Wolf\n11:15\nI bring photos.\nAnna Berg\n14:00\nI sign it. The towel is new.',
    'Maple Street\n8:07\nI get on here.\nOak Avenue\n8:21\nI change here.\nMaple Street\n17:48\nThe bus is late. The towel is new.',
    'Anna Berg\n\n10:00\nThe train is late. The towel is new.',
    'Anna Berg\nThe meeting is at 10:00\nThe train is late. The towel is new.',
  ])('but not an appointment: %j', async (content) => {
    expect((await textsOf(content)).at(-1)).toBe('The towel is new.');
  });

  test('also with the tag of a program, which is nobody', async () => {
    const content =
      'Robo\nAPP\n — Today at 9:14\nThe office moves. The lift is broken.\nBen Holt\n — Today at 9:15\nI agree.\nRobo\nAPP\n — Today at 9:16\nThe desks are sold.';
    expect(await textsOf(content)).toContain('Robo: The lift is broken.');
    const names = (await extract(content)).flatMap(({ entities }) => entities.map(({ name }) => name));
    expect(names).not.toContain('APP');
  });

  test('also one who is not known, where others recur', async () => {
    const content =
      'Lena\n9:14\nI am late. The bus broke down.\nMax\n9:16\nNo problem, I wait for you. The pub is open.\nLena\n9:20\nThanks, I take the next tram.';
    expect(await textsOf(content)).toContain('Max: The pub is open.');
  });

  test('nor the end of a message above the time of the next one', async () => {
    const texts = await textsOf(
      'Anna Berg  9:14 AM\nI moved to Rome.\nPerfect\n9:16\nThe cat is fine. The boat is old.\nBen Holt  9:20 AM\nI bought a van.',
    );
    expect(texts).toContain('Anna Berg: The boat is old.');
  });
});

describe('a surname before a first name is somebody where the form is clear', () => {
  test.each([
    ['[13.11.2026 09:14] Berg, Anna', 'Anna Berg'],
    ['[Yesterday 14:05] de Vries, Pieter', 'Pieter de Vries'],
    ['Berg, Anna  9:14 AM', 'Anna Berg'],
  ])('%s', async (header, name) => {
    const texts = await textsOf(`${header}\nThe office moves. The lift is broken.\n${header}\nThe desks are sold.`);
    expect(texts).toContain(`${name}: The lift is broken.`);
  });

  test.each(['[14:05] Rome, Italy', 'Rome, Italy  9:14 AM', 'Berg, Anna 9:14'])('but not %s', async (header) => {
    const texts = await textsOf(`${header}\nThe train is late. The lift is broken.`);
    expect(texts).toContain('The lift is broken.');
  });
});

describe('a time before a name', () => {
  test('speaks where several persons recur and say something', async () => {
    const content =
      '12 Nov 2026 13:20 – Oyin Ade\nMy router is broken. The lamp is red.\n12 Nov 2026 15:02 – Lars Holt (2nd level)\nI updated it.\n13 Nov 2026 08:45 – Oyin Ade\nThank you! The lamp is green.';
    expect(await textsOf(content)).toContain('Oyin Ade: The lamp is red.');
    expect(await daysOf(content)).toEqual(['2026-11-12', '2026-11-12', '2026-11-12', '2026-11-13']);
  });

  test.each([
    '12 Nov 2026 13:20 – Dentist\nThe card is in the bag. The lamp is red.\n13 Nov 2026 08:45 – Dentist\nThe x-ray is ready.',
    '14.11.2026 15:00 – Anna Berg\nI show her the flat. The lamp is red.\n15.11.2026 16:00 – Tom Wolf\nI call him.\n16.11.2026 16:10 – Anna Berg\nI sign it.',
    '14.11.2026 15:00 – Anna\nI take her there. The lamp is red.\n15.11.2026 16:00 – Tom\nI stay here.',
    '14.11.2026 15:00 – Anna Berg\nThe boat is old. The lamp is red.\n15.11.2026 16:00 – Tom Wolf\nThe van is full.\n16.11.2026 16:00 – Tom Wolf\nThe van is old.',
  ])('is that of an appointment elsewhere: %j', async (content) => {
    expect(await textsOf(content)).toContain('The lamp is red.');
  });
});
