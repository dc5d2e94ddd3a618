import type { RecordedFact } from '@mneme/contracts';
import type { Passage } from '../read-model/rows.ts';
import { speakerOf } from '../read-model/speaker.ts';

/** A longer item has several passages, since the words of pages say little about one fact. In UTF-16 code units. */
const maxLength = 4_000;

/** The passage of a fact that stands alone. */
export function alone(fact: number): Passage {
  return { first: fact, last: fact, text: null };
}

/**
 * The passages of the facts of one event, in their order. Facts of one item belong together, up to 4,000 characters. If a
 * model has written the facts, the words of a passage are those of the item.
 * @param firstFact the index of the first of them among all facts of the batch
 */
export function passagesOf(facts: readonly RecordedFact[], firstFact: number): readonly Passage[] {
  const passages: Passage[] = [];
  for (const { start, end } of groups(facts)) {
    const members = facts.slice(start, end);
    const range = { first: firstFact + start, last: firstFact + end - 1 };
    const text = textOf(members);
    passages.push({ ...range, text: text === members[0]?.text ? null : text });
    for (let member = start + 1; member < end; member += 1) passages.push({ ...range, text: null });
  }
  return passages;
}

function* groups(facts: readonly RecordedFact[]): Iterable<{ readonly start: number; readonly end: number }> {
  let [start, length] = [0, 0];
  for (const [index, { item, text }] of facts.entries()) {
    if (index > start && (item !== facts[start]?.item || length + text.length > maxLength)) {
      yield { start, end: index };
      [start, length] = [index, 0];
    }
    length += text.length;
  }
  if (facts.length > start) yield { start, end: facts.length };
}

function textOf(facts: readonly RecordedFact[]): string {
  return facts[0]?.source ?? passageText(facts.map(({ text }) => text));
}

/**
 * The text of a passage, of the texts of its facts. Each speaker is named once and not in front of each sentence, since a
 * name that stands often counts more.
 */
export function passageText(texts: readonly string[]): string {
  let speaker: string | undefined;
  const said = texts.map((text) => {
    const own = speakerOf(text);
    const isSame = own !== undefined && own === speaker;
    speaker = own;
    return isSame ? text.slice(own.length + 2) : text;
  });
  return said.join('\n');
}
