import { stemmer } from 'stemmer';

/** The English stop words of NLTK, and `would` and `could`. Contractions are pieces, because words end at apostrophes. */
const stopWords = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves what which who whom this that these those
  am is are was were be been being have has had having do does did doing would could can will should
  a an the and but if or because as until while of at by for with about against between into through during
  before after above below to from up down in out on off over under again further then once
  here there when where why how all any both each few more most other some such no nor not only own same so than
  too very just now s t d ll m o re ve y
  ain aren couldn didn doesn don hadn hasn haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn`.split(
    /\s+/,
  ),
);

const stems = new Map<string, string>();

/** The Porter stems of a text's words in lower case, in order, without stop words. A word consists of a to z and digits. */
export function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !stopWords.has(word)).map(stemOf);
}

function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(word);
  stems.set(word, stem);
  return stem;
}
