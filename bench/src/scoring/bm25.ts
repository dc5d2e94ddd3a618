const k1 = 1.2;
const b = 0.75;

/** An index of documents that is queried with words. */
export interface Bm25 {
  /**
   * @param query words in the form of the documents; a word that is there twice counts twice
   * @returns a score for each document, in their order; 0 if it has none of the words
   */
  scores(query: readonly string[]): number[];
}

/**
 * Okapi BM25 with k1 = 1.2 and b = 0.75, and the inverse document frequency of Lucene, ln(1 + (N - n + 0.5) / (n + 0.5)),
 * which is never negative (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
 * @param documents the words of each document
 */
export function createBm25(documents: readonly (readonly string[])[]): Bm25 {
  const averageLength = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const postings = postingsOf(documents);
  const lengthFactors = documents.map(({ length }) => k1 * (1 - b + (b * length) / averageLength));
  return {
    scores: (query) => {
      const scores = new Array<number>(documents.length).fill(0);
      for (const word of query) {
        const counts = postings.get(word);
        if (!counts) continue;
        const rarity = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [index, count] of counts) {
          const saturated = (count * (k1 + 1)) / (count + (lengthFactors[index] ?? 0));
          scores[index] = (scores[index] ?? 0) + rarity * saturated;
        }
      }
      return scores;
    },
  };
}

/** For each word, how often it is in which document. */
function postingsOf(documents: readonly (readonly string[])[]): Map<string, Map<number, number>> {
  const postings = new Map<string, Map<number, number>>();
  for (const [index, words] of documents.entries()) {
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>();
      counts.set(index, (counts.get(index) ?? 0) + 1);
      postings.set(word, counts);
    }
  }
  return postings;
}
