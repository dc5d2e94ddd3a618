import { saidIn } from '../client/failure.ts';
import type { ModelError } from '../model-error.ts';

/** How many texts a server takes in one request, as far as it has told. */
export interface MostTexts {
  current(): number;
  /** The server has answered a request with these texts. */
  taken(texts: readonly string[]): void;
  /** The server has refused a request with these texts, then answered one with each half of them. */
  halved(texts: readonly string[], refusal: ModelError): void;
}

/** Texts of this many characters in all are not too long for any server. */
const shortTogether = 8_000;
/** How many requests with the most texts a server takes before it is asked with twice as many. */
const takenBeforeMore = 50;

/**
 * Refusals because of the number of texts are remembered, so that other requests need not find out again. Those because of
 * their length are not.
 */
export function createMostTexts(largest: number): MostTexts {
  let most = largest;
  /** Requests with the most texts that were answered since. */
  let answered = 0;
  let longestTogether = shortTogether;
  return {
    current: () => most,
    taken: (texts) => {
      longestTogether = Math.max(longestTogether, lengthOf(texts));
      if (texts.length < most || most === largest) return;
      answered += 1;
      if (answered < takenBeforeMore) return;
      // It may have refused for another reason, so more are tried now and then.
      most = Math.min(largest, 2 * most);
      answered = 0;
    },
    halved: (texts, refusal) => {
      if (lengthOf(texts) > longestTogether && !isAboutNumber(refusal, texts.length)) return;
      most = Math.min(most, Math.ceil(texts.length / 2));
      answered = 0;
    },
  };
}

const aboutNumber = /batch[ _-]?size|too many|number of|at most \d+ (?:inputs|items|requests|texts)/i;
/** "Too many tokens in batch" */
const aboutLength = /token|character|context/i;

function isAboutNumber(refusal: ModelError, count: number): boolean {
  const said = saidIn(refusal) ?? '';
  return !aboutLength.test(said) && (aboutNumber.test(said) || said.match(/\d+/g)?.includes(String(count)) === true);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}
