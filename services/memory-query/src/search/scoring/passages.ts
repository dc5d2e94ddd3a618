import type { Calibration } from '@mneme/models';
import { unitId } from '../../read-model/row-ids.ts';
import type { Hit, UnitPlace, VectorHits } from '../../vectors/vector-index.ts';
import { documentShare, meanShare, questionSpread, type SearchPart, spreadByDistance } from '../search-settings.ts';
import { type Lines, type Position, separateLines } from './lines.ts';

/** How well a text matches the question. */
export interface Match {
  /** About 1 for a text that has all words of the question, up to 2.2 if it has them often. */
  readonly words: number;
  /** 0 for texts that are not related in meaning, `Calibration.weight` for the same meaning. */
  readonly meaning: number;
}

/** A unit that a method found. */
export interface FoundPlace extends UnitPlace {
  readonly match: Match;
}

/** A passage of which a unit was found, or which was found itself. */
export interface FoundPassage {
  readonly key: string;
  /** Where it begins and ends among the facts around it. */
  readonly line: string;
  readonly first: number;
  readonly last: number;
  readonly documentKey: string | null;
  readonly hasQuestion: boolean;
  /** The words of the passage as a whole, and the meaning of its units. */
  readonly match: Match;
  readonly units: readonly FoundPlace[];
}

/** What spreads to a passage. */
export interface Spread {
  readonly neighbours: number;
  readonly document: number;
}

export function totalOf({ words, meaning }: Match): number {
  return words + meaning;
}

/** Where the scale of meaning begins and ends depends on the model. */
function meaningOf(cosine: number, { unrelated, weight }: Calibration): number {
  return (weight * Math.max(0, cosine - unrelated)) / (1 - unrelated);
}

export interface MatchSettings {
  readonly calibration: Calibration;
  readonly without: ReadonlySet<SearchPart>;
  /** Each batch is a line of its own unless given. */
  readonly lines?: Lines;
}

/** Groups what the methods found by passage. */
export function foundPassages(hits: VectorHits, settings: MatchSettings): FoundPassage[] {
  const { calibration, without, lines = separateLines } = settings;
  const found = new Map<string, { hit: Hit; words: number; meaning: number }>();
  const matchOf = (hit: Hit) => {
    const known = found.get(hit.id);
    if (known) return known;
    const added = { hit, words: 0, meaning: 0 };
    found.set(hit.id, added);
    return added;
  };
  for (const hit of hits.words) matchOf(hit).words = hit.score;
  const byMeaning = without.has('meaning') ? [] : [...hits.dense, ...hits.window];
  for (const hit of byMeaning) matchOf(hit).meaning = meaningOf(hit.score, calibration);
  const whole = new Map<string, number>();
  for (const hit of without.has('passages') ? [] : hits.passages) {
    matchOf(hit);
    whole.set(keyOf(hit), hit.score);
  }
  const places = [...found.values()].map(
    ({ hit, words, meaning }): FoundPlace => ({ ...hit, match: { words, meaning } }),
  );
  return [...Map.groupBy(places, keyOf)].map(([key, units]) => passageOf({ key, units, words: whole.get(key) }, lines));
}

function passageOf(
  { key, units, words }: { key: string; units: readonly FoundPlace[]; words: number | undefined },
  lines: Lines,
): FoundPassage {
  const [one] = units as [FoundPlace];
  const length = one.passage.last - one.passage.first + 1;
  const mean = units.reduce((sum, { match }) => sum + match.meaning, 0) / length;
  const { line, at: first } = lines.positionOf({ operationId: one.operationId, fact: one.passage.first });
  const best = (part: keyof Match) => Math.max(...units.map(({ match }) => match[part]));
  return {
    key,
    line,
    first,
    last: first + length - 1,
    documentKey: one.documentKey,
    hasQuestion: units.some(({ hasQuestion }) => hasQuestion),
    match: { words: words ?? best('words'), meaning: (1 - meanShare) * best('meaning') + meanShare * mean },
    units,
  };
}

/** Units of one passage have the same. */
export function keyOf({ operationId, passage }: UnitPlace): string {
  return `${operationId}:${passage.first}`;
}

/** What passes from one passage to another. */
export interface PassedOn {
  readonly from: FoundPassage;
  readonly amount: number;
}

/** What passes between the passages of a document: to those around each of them, and from the best to all of them. */
export function spreadAmong(passages: readonly FoundPassage[], without: ReadonlySet<SearchPart>) {
  const around = passedOnAround(passages, without);
  const best = without.has('documents') ? new Map<string, BestOfDocument>() : bestOfDocuments(passages);
  return (each: FoundPassage): Spread => {
    if (each.documentKey === null) return { neighbours: 0, document: 0 };
    const document = documentShare * (best.get(each.documentKey)?.mean ?? 0);
    return { neighbours: around(each).reduce((sum, { amount }) => sum + amount, 0), document };
  };
}

/** What passes to a passage from those around it, each by itself. */
export function passedOnAround(passages: readonly FoundPassage[], without: ReadonlySet<SearchPart>) {
  const { startingAt, endingAt } = edgesOf(passages);
  const before = ({ line, first }: FoundPassage) => endingAt(line, first - 1);
  const after = ({ line, last }: FoundPassage) => startingAt(line, last + 1);
  return (each: FoundPassage): PassedOn[] => {
    if (each.documentKey === null || without.has('neighbours')) return [];
    const [previous, next] = [before(each), after(each)];
    const [twoBefore, twoAfter] = [previous && before(previous), next && after(next)];
    return [...passedOn(previous, 1), ...passedOn(twoBefore, 2), ...passedOn(next, -1), ...passedOn(twoAfter, -2)];
  };
}

/** @param distance of the passage that receives it: positive for later ones */
function passedOn(from: FoundPassage | undefined, distance: keyof typeof spreadByDistance): PassedOn[] {
  if (!from) return [];
  const factor = distance > 0 && from.hasQuestion ? questionSpread : 1;
  return [{ from, amount: factor * spreadByDistance[distance] * totalOf(from.match) }];
}

/** How many facts after a question may be its answer: "Who has the key?" "Well." "Harald has it." */
const mostAnswers = 2;

/** Finds the question that a place in a document may answer, which stands right before it: the id of its unit. */
export function questionsBefore(passages: readonly FoundPassage[]): (place: Position) => string | undefined {
  const questions: ByPlace<string> = new Map();
  for (const { line, first, documentKey, units } of passages) {
    const asked = documentKey === null ? [] : units.filter(({ hasQuestion }) => hasQuestion);
    for (const { id, fact, passage } of asked) put(questions, line, first + fact - passage.first, id);
  }
  return ({ line, at }) => {
    const onLine = questions.get(line);
    for (let distance = 1; onLine && distance <= mostAnswers; distance += 1) {
      const id = onLine.get(at - distance);
      if (id !== undefined) return id;
    }
    return undefined;
  };
}

/** The best passages of a document, the best first, and the mean of their matches. */
export interface BestOfDocument {
  readonly passages: readonly FoundPassage[];
  readonly mean: number;
}

/** The three best passages of each document. */
export function bestOfDocuments(passages: readonly FoundPassage[]): ReadonlyMap<string, BestOfDocument> {
  const inDocuments = passages.filter(({ documentKey }) => documentKey !== null);
  const byDocument = Map.groupBy(inDocuments, ({ documentKey }) => documentKey ?? '');
  return new Map(
    [...byDocument].flatMap(([key, members]) => {
      // A document of one passage has nothing to share.
      if (members.length < 2) return [];
      const best = members.toSorted((left, right) => totalOf(right.match) - totalOf(left.match)).slice(0, 3);
      const mean = best.reduce((sum, { match }) => sum + totalOf(match), 0) / best.length;
      return [[key, { passages: best, mean }]];
    }),
  );
}

/** What stands on lines, by its line and its place on it. */
type ByPlace<T> = Map<string, Map<number, T>>;

/** Passages by where they begin and by where they end. */
function edgesOf(passages: readonly FoundPassage[]) {
  const [starts, ends]: [ByPlace<FoundPassage>, ByPlace<FoundPassage>] = [new Map(), new Map()];
  for (const each of passages) {
    put(starts, each.line, each.first, each);
    put(ends, each.line, each.last, each);
  }
  const find = (places: ByPlace<FoundPassage>) => (line: string, at: number) => places.get(line)?.get(at);
  return { startingAt: find(starts), endingAt: find(ends) };
}

function put<T>(places: ByPlace<T>, line: string, at: number, what: T): void {
  const onLine = places.get(line);
  if (onLine) onLine.set(at, what);
  else places.set(line, new Map([[at, what]]));
}

/** A unit beside a passage that no method found, and what spreads to it. */
export interface Neighbour {
  readonly id: string;
  readonly position: Position;
  readonly spread: number;
  /** What it comes from. */
  readonly from: readonly PassedOn[];
}

/** The places up to two facts before and after a passage in its document, where nothing was found; some do not exist. */
export function neighboursOf(passages: readonly FoundPassage[], lines: Lines = separateLines): Neighbour[] {
  const { startingAt, endingAt } = edgesOf(passages);
  // Passages follow each other without a gap, so one that holds a fact next to or after next begins there or one before.
  const isFound = ({ line, at }: Position, step: 1 | -1): boolean => {
    const edgeAt = (place: number) => (step > 0 ? startingAt : endingAt)(line, place);
    const before = edgeAt(at - step);
    return edgeAt(at) !== undefined || (before !== undefined && before.first <= at && at <= before.last);
  };
  const found = new Map<string, Neighbour>();
  for (const each of passages) {
    if (each.documentKey === null) continue;
    for (const distance of [1, 2, -1, -2] as const) {
      const position = { line: each.line, at: (distance > 0 ? each.last : each.first) + distance };
      const fact = lines.factAt(position);
      if (!fact || isFound(position, distance > 0 ? 1 : -1)) continue;
      const id = unitId(fact.operationId, fact.fact);
      const from = [...(found.get(id)?.from ?? []), ...passedOn(each, distance)];
      found.set(id, { id, position, spread: from.reduce((sum, { amount }) => sum + amount, 0), from });
    }
  }
  return [...found.values()];
}
