import { stopWords } from '../text/word-lists.ts';
import { createStemming, words } from '../text/words.ts';

const stem = createStemming();
const soft = `(?:(?:now|currently|also|still|really|just|recently|no longer|have|am) ){0,2}`;

/** Attributes of which an agent has only one value: a new sentence replaces the old one. */
const single: readonly (readonly [string, RegExp])[] = [
  ['name', /^(?:my name is|my name['’]s|I am (?:called|named)|I['’]m (?:called|named)|I go by|call me)\b/i],
  [
    'age',
    /^(?:I am|I['’]m) (?:now )?(?:\d{1,4}|[a-z]+(?:-[a-z]+)?) years old\b|^(?:I am|I['’]m) (?:now )?\d{1,3}\b(?! [a-z])|^my age is\b/i,
  ],
  [
    'job',
    new RegExp(
      String.raw`^I ${soft}(?:work|working|worked|employed) (?:as|at|for|in)\b|^my (?:job|profession|occupation|work) is\b`,
      'i',
    ),
  ],
  [
    'home',
    new RegExp(
      String.raw`^I ${soft}(?:live|living|reside|based|moved|relocated|settled) (?:in|to|at|near|on)\b|^my (?:home|address) is\b`,
      'i',
    ),
  ],
  ['origin', /^I (?:come|am) from\b|^I['’]m from\b|^I (?:was born|grew up) (?:in|on|near)\b/i],
  ['status', /^(?:I am|I['’]m) (?:not )?(?:single|married|divorced|engaged|widowed)\b/i],
];
const own =
  /^my (favou?rite [a-z]+(?: [a-z]+){0,2}?|birthday|goal|role|motto|hometown|native language|mother tongue|tone|style) (?:is|are)\b/i;
const liking =
  /^I (?:(?:really|also|now|still|no longer|never|do not|don['’]t|can['’]t|cannot) ){0,2}(?:like|love|enjoy|hate|dislike|adore|detest|stand)\b(.+)$/i;
const being =
  /^(?:I am|I['’]m) (?:now |currently )?an? (?:[\p{L}-]+ ){0,3}?([\p{L}-]+)(?=[.,;!]|$| (?:at|for|in|from|who|with|and|by)\b)/iu;
/** Endings of professions, and professions without such an ending. */
const profession =
  /(?:er|or|ist|ian|ant|eer|ect|ive)$|^(?:chef|cook|nurse|coach|pilot|clerk|judge|guide|librarian|student|scribe)$/i;
const noProfession =
  /^(?:lover|fighter|believer|listener|thinker|learner|helper|owner|member|mother|father|brother|sister|daughter|winner|user|speaker|beginner|native|never|over|ever)$/i;

/** The single-valued attribute that a sentence in the first person is about; undefined when it is about none. */
export function attributeOf(sentence: string): string | undefined {
  const found = single.find(([, pattern]) => pattern.test(sentence));
  if (found !== undefined) return found[0];
  const possession = own.exec(sentence)?.[1];
  if (possession !== undefined) return `my ${possession.toLowerCase().replace('favourite', 'favorite')}`;
  const liked = liking.exec(sentence)?.[1];
  if (liked !== undefined) return `like ${topicOf(liked)}`;
  const what = being.exec(sentence)?.[1];
  return what !== undefined && profession.test(what) && !noProfession.test(what) ? 'job' : undefined;
}

function topicOf(text: string): string {
  const topic = words(text).filter((word) => !stopWords.has(word) && word !== 'anymore');
  return [...new Set(topic.map(stem))].sort().join(' ');
}
