import { wordSet } from '../../text/word-lists.ts';
import { plainWords } from './word-forms.ts';

/** How much of an item tells its language. */
const sampleLength = 2_000;

const english = wordSet(`
  about and are at been but can did do does for from had has have he her his i i'm i've is it it's my not of on or our she that the their there they
  this to was we were what when where which who will with would you your
`);
const others = wordSet(`
  al als auch auf aus che con dans das de del della dem den der des di die dla do ein eine el em en est et fui gli het ich il ja je jest la las le les los
  lo ma mi mit na nach não nicht nie não niet não och och op para pas per por pour que quel sa se sie sind sont su sur sull também tu um uma un una und van
  você voor w wir y z zu è é è år är av att ett som på jag og ikke jeg een één ik ist nem és hogy ve bir bu için
`);

/**
 * Whether the rules for English sentences apply: the text is in Latin letters, and no other language has more of its
 * frequent words in it. Judged by its start.
 */
export function isEnglish(text: string): boolean {
  const sample = text.slice(0, sampleLength);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/[a-z]/gi)?.length ?? 0;
  if (letters === 0 || latin < letters * 0.8) return false;
  let [own, foreign] = [0, 0];
  for (const word of plainWords(sample)) {
    if (english.has(word)) own += 1;
    if (others.has(word)) foreign += 1;
  }
  return own >= foreign;
}
