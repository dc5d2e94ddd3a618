import type { StoredLink } from '../read-model/rows.ts';
import type { Candidate } from './candidates.ts';
import { matchPassages } from './passage.ts';
import { isWithin, type Question } from './question.ts';
import {
  coverageShare,
  documentShare,
  passageShare,
  questionSpread,
  type SearchSettings,
  spreadByDistance,
  spreadByLink,
  windowActivation,
} from './search-settings.ts';
import type { TermWeights } from './term-weights.ts';
import { hasQuestion } from './unit-form.ts';

export type SpreadingLink = Pick<StoredLink, 'type' | 'from' | 'to' | 'weight'>;

/** The parts of a candidate's activation. All of them are 0 or more; a match of all words is about 1. */
export interface Activation {
  /** The share of the question's words that it has, weighted by rarity. */
  readonly match: number;
  /** The same for its passage. */
  readonly passageMatch: number;
  /** `match` and similarity of meaning, raised by how many of the words it has. */
  readonly own: number;
  /** From its neighbours. */
  readonly spread: number;
  /** From the best units of its document. */
  readonly document: number;
  /** From the words of its passage, each counting once. */
  readonly passage: number;
  /** From the units to which it is linked. */
  readonly links: number;
  /** For being within the time that the question names. */
  readonly window: number;
}

export interface Activated extends Candidate {
  readonly activation: Activation;
}

export function totalOf({ own, spread, document, passage, links, window }: Activation): number {
  return own + spread + document + passage + links + window;
}

export interface ActivationContext {
  readonly question: Question;
  readonly weights: TermWeights;
  readonly links: readonly SpreadingLink[];
  readonly settings: SearchSettings;
}

/** Activates the candidates by their text, then spreads activation once: to neighbours, within documents, over links. */
export function activate(candidates: readonly Candidate[], context: ActivationContext): Activated[] {
  const { settings } = context;
  const speakerTerms = new Set(candidates.flatMap((each) => each.speakerTerms));
  const matched = candidates.map(matchWith(context, speakerTerms));
  const passageOf = passageWith(candidates, context, speakerTerms);
  const byPlace = new Map(matched.map((each) => [placeOf(each.candidate.unit), each]));
  const byId = new Map(matched.map((each) => [each.candidate.unit._id, each]));
  const linksByEnd = linksOfEach(context.links);
  const best = settings.without.has('documents') ? new Map<string, number>() : bestOfDocuments(matched);
  return matched.map(({ candidate, match, own }) => {
    const activation = {
      match,
      own,
      spread: settings.without.has('neighbours') ? 0 : spreadTo(candidate, byPlace),
      document: documentShare * (best.get(candidate.unit.documentKey ?? '') ?? 0),
      ...passageOf(candidate),
      links: linkedTo(candidate, linksByEnd, byId),
      window:
        !settings.without.has('window') && isWithin(candidate.unit.eventDate, context.question.window)
          ? windowActivation
          : 0,
    };
    return { ...candidate, activation };
  });
}

function matchWith({ question, weights, settings }: ActivationContext, speakerTerms: ReadonlySet<number>) {
  return (candidate: Candidate): Matched => {
    const { match, weighted } = matchOf(candidate, question, weights);
    const meaning = settings.denseScore * Math.max(0, candidate.similarity - settings.denseFloor);
    const coverage = settings.without.has('coverage') ? 0 : coverageOf(candidate, question, speakerTerms);
    return { candidate, match, own: (weighted + meaning) * (1 + coverageShare * coverage) };
  };
}

/** The words of a question may be spread over a passage and still be about one thing: "Which seats ... to the Douro?" */
function passageWith(
  candidates: readonly Candidate[],
  { question, weights, settings: { without } }: ActivationContext,
  speakerTerms: ReadonlySet<number>,
) {
  const matches = without.has('passages') ? undefined : matchPassages(candidates, question, weights, speakerTerms);
  return (candidate: Candidate): Pick<Activation, 'passageMatch' | 'passage'> => {
    const { match, weighted, coverage } = matches?.get(candidate) ?? { match: 0, weighted: 0, coverage: 0 };
    const lift = without.has('coverage') ? 1 : 1 + coverageShare * coverage;
    return { passageMatch: match, passage: passageShare * weighted * lift };
  };
}

/** Only the strongest link of each type counts, so that many links are no advantage. */
function linkedTo({ unit }: Candidate, links: LinksByEnd, byId: ReadonlyMap<string, Matched>): number {
  const strongest = { semantic: 0, entity: 0, temporal: 0 };
  for (const { type, from, to, weight } of links.get(unit._id) ?? []) {
    const source = byId.get(from === unit._id ? to : from);
    if (source) strongest[type] = Math.max(strongest[type], source.own * weight * spreadByLink[type]);
  }
  return strongest.semantic + strongest.entity + strongest.temporal;
}

type LinksByEnd = ReadonlyMap<string, readonly SpreadingLink[]>;

function linksOfEach(links: readonly SpreadingLink[]): LinksByEnd {
  const byEnd = new Map<string, SpreadingLink[]>();
  for (const link of links) {
    for (const end of [link.from, link.to]) {
      const known = byEnd.get(end);
      if (known) known.push(link);
      else byEnd.set(end, [link]);
    }
  }
  return byEnd;
}

type Matched = { readonly candidate: Candidate; readonly match: number; readonly own: number };

/** The share of the question's words that it has, weighted by rarity; `weighted` also counts how often it has them. */
function matchOf({ terms }: Candidate, question: Question, weights: TermWeights): { match: number; weighted: number } {
  let [rarity, found, idf, weighted] = [0, 0, 0, 0];
  for (const { id, count } of question.terms) {
    const weight = weights.get(id) ?? { idf: 0, rarity: 0 };
    rarity += weight.rarity * count;
    found += terms.has(id) ? weight.rarity * count : 0;
    idf += weight.idf * count;
    weighted += weight.idf * count * (terms.get(id) ?? 0);
  }
  return { match: rarity === 0 ? 0 : found / rarity, weighted: idf === 0 ? 0 : weighted / idf };
}

/** The share of the question's words that it has, each counting 1; without speakers' names, which are in each of their lines. */
function coverageOf({ terms }: Candidate, question: Question, speakerTerms: ReadonlySet<number>): number {
  const content = question.terms.filter(({ id }) => !speakerTerms.has(id));
  return content.length === 0 ? 0 : content.filter(({ id }) => terms.has(id)).length / content.length;
}

function spreadTo({ unit }: Candidate, own: ReadonlyMap<string, Matched>): number {
  if (unit.documentId === null) return 0;
  let spread = 0;
  for (const distance of [1, 2, -1, -2] as const) {
    const source = own.get(placeOf({ operationId: unit.operationId, fact: unit.fact - distance }));
    if (!source) continue;
    const factor = distance === 1 && hasQuestion(source.candidate.unit.text) ? questionSpread : 1;
    spread += source.own * spreadByDistance[distance] * factor;
  }
  return spread;
}

/** For each document the mean of its three best units. */
function bestOfDocuments(matched: readonly Matched[]): ReadonlyMap<string, number> {
  const byDocument = Map.groupBy(
    matched.filter(({ candidate }) => candidate.unit.documentKey !== null),
    ({ candidate }) => candidate.unit.documentKey ?? '',
  );
  return new Map(
    [...byDocument].map(([key, members]) => {
      const best = members.map(({ own }) => own).sort((left, right) => right - left);
      return [key, best.slice(0, 3).reduce((sum, each) => sum + each, 0) / 3];
    }),
  );
}

function placeOf({ operationId, fact }: { readonly operationId: string; readonly fact: number }): string {
  return `${operationId}:${fact}`;
}
