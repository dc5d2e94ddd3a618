import type { Calibration, EmbeddingModel } from '../ports.ts';
import { embeddedText } from './embedded-text.ts';
import { hash32 } from './hash.ts';
import { stopWords } from './word-lists.ts';
import { createStemming, words } from './words.ts';

const dimensions = 512;
const maxSigns = 1_000;
/** Chosen on conversations together with the parameters of the search; a weak similarity means nothing at all. */
const calibration: Calibration = { unrelated: 0, strong: 0.6, link: 0.7, weight: 0.1 };

export const hashedName = `mneme-hash-${dimensions}-v1`;

const weights = { word: 1, stopWord: 0.15, wordPair: 0.4, characters: 0.25 };

/**
 * An embedding without a model: words, word pairs and character trigrams are hashed to dimensions and signs (Weinberger
 * et al. 2009) with sublinear counts, and the vector is normalised to length 1. It reflects spelling, not meaning. Runs
 * without yielding to the event loop, so many texts belong in a worker.
 */
export function createHashedEmbeddings(): EmbeddingModel {
  const stem = createStemming();
  return {
    name: hashedName,
    dimensions,
    calibration,
    isSlow: false,
    isServed: false,
    textOf: embeddedText,
    embed: async (texts, signal) => {
      const vectors: Float32Array[] = [];
      signal?.throwIfAborted();
      for (const text of texts) {
        vectors.push(embedOne(text, stem));
      }
      return vectors;
    },
  };
}

function embedOne(text: string, stem: (word: string) => string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [feature, { count, weight }] of features(text, stem)) {
    const hash = hash32(feature);
    const sign = hash & 0x80000000 ? -1 : 1;
    const slot = hash % dimensions;
    vector[slot] = (vector[slot] ?? 0) + sign * weight * (1 + Math.log(count));
  }
  return normalise(vector);
}

type Features = Map<string, { count: number; readonly weight: number }>;

function features(text: string, stem: (word: string) => string): Features {
  const found: Features = new Map();
  const all = words(text);
  let previous = '';
  for (const word of all) {
    if (stopWords.has(word)) {
      add(found, `w ${word}`, weights.stopWord);
      continue;
    }
    const stemmed = stem(word);
    add(found, `w ${stemmed}`, weights.word);
    if (previous !== '') add(found, `p ${previous} ${stemmed}`, weights.wordPair);
    for (const part of characterTriples(word)) add(found, `c ${part}`, weights.characters);
    previous = stemmed;
  }
  if (all.length === 0) addSigns(found, text);
  return found;
}

/** A text without words, such as emoji, is embedded by its characters. */
function addSigns(found: Features, text: string): void {
  for (const sign of text.slice(0, maxSigns).replace(/\s+/g, '')) add(found, `s ${sign}`, weights.word);
}

function characterTriples(word: string): string[] {
  const framed = `^${word}$`;
  return Array.from({ length: framed.length - 2 }, (_, start) => framed.slice(start, start + 3));
}

function add(found: Features, feature: string, weight: number): void {
  const known = found.get(feature);
  if (known === undefined) found.set(feature, { count: 1, weight });
  else known.count += 1;
}

function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector;
  const scale = 1 / Math.sqrt(sum);
  return vector.map((value) => value * scale);
}
