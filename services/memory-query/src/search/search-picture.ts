import type { SearchPicture } from '@mneme/contracts';
import type { FoundLink } from '../read-model/remembered.ts';
import { cut } from '../units/shown-units.ts';
import type { Hit, VectorHits } from '../vectors/vector-index.ts';
import { activationOf, type Candidate, strongestLinks, type Visit } from './scoring/activation.ts';
import {
  bestOfDocuments,
  type FoundPassage,
  foundPassages,
  keyOf,
  type MatchSettings,
  neighboursOf,
  passedOnAround,
  totalOf,
} from './scoring/passages.ts';
import type { Ranked } from './scoring/rerank.ts';
import { documentShare } from './search-settings.ts';

/** What a search went through, from which its picture is drawn. */
export interface PicturedSearch {
  readonly hits: VectorHits;
  readonly settings: MatchSettings;
  /** The visits that found a unit, linked ones included. */
  readonly candidates: readonly Candidate[];
  readonly links: readonly FoundLink[];
  /** The candidates in the order of the heuristic, or of their activation. */
  readonly inOrder: readonly Ranked[];
  /** The same after the rerank model; the same list without one. */
  readonly reranked: readonly Ranked[];
  readonly resultIds: readonly string[];
}

/** The most units that are pictured, those with the greatest activation. */
const maxUnits = 200;
const maxText = 200;

type Step = SearchPicture['steps'][number];
type Source = Step['units'][number]['from'][number];

/**
 * Says of a search which method found which result, how activation spread step by step, and in which order the units were
 * after each stage. It is worked out again from what the search has found, only for a trace.
 */
export function drawPicture(search: PicturedSearch): SearchPicture {
  const byActivation = search.candidates.toSorted(
    (left, right) => activationOf(right.activation) - activationOf(left.activation) || (left.id < right.id ? -1 : 1),
  );
  const pictured = byActivation.slice(0, maxUnits);
  return {
    units: pictured.map(({ id, by, unit }) => ({ id, by, type: unit.factType, text: cut(unit.text, maxText) })),
    found_by: foundBy(search),
    steps: stepsOf(search, pictured),
    stages: stagesOf(search, byActivation),
    is_complete: search.candidates.length <= maxUnits,
  };
}

function foundBy({ hits, candidates, resultIds }: PicturedSearch): SearchPicture['found_by'] {
  const methods = [
    ['lexical', ranksOf(hits.words, ({ id }) => id)],
    ['dense', ranksOf(hits.dense, ({ id }) => id)],
    ['window', ranksOf(hits.window, ({ id }) => id)],
    ['passages', ranksOf(hits.passages, keyOf)],
  ] as const;
  const byId = new Map(candidates.map((each) => [each.id, each]));
  return resultIds.slice(0, maxUnits).map((id) => {
    const passage = byId.get(id)?.passage ?? id;
    const found = methods.flatMap(([method, ranks]) => {
      const rank = ranks.get(method === 'passages' ? passage : id);
      return rank ? [{ method, ...rank }] : [];
    });
    return { id, methods: found };
  });
}

function ranksOf(hits: readonly Hit[], name: (hit: Hit) => string) {
  return new Map(hits.map((hit, index) => [name(hit), { rank: index + 1, score: hit.score }]));
}

function stepsOf(search: PicturedSearch, pictured: readonly Candidate[]): Step[] {
  const sources = sourcesIn(search);
  const step = (
    name: Step['name'],
    addedTo: (visit: Visit) => number,
    from: (visit: Visit) => readonly Source[],
  ): Step => ({
    name,
    units: pictured.flatMap((visit) => {
      const added = addedTo(visit);
      return added > 0 ? [{ id: visit.id, added, from: [...from(visit)] }] : [];
    }),
  });
  return [
    step(
      'match',
      ({ activation }) => activation.own + activation.passage,
      () => [],
    ),
    step('neighbours', ({ activation }) => activation.neighbours, sources.neighbours),
    step('documents', ({ activation }) => activation.document, sources.documents),
    step('links', ({ activation }) => activation.links, sources.links),
  ];
}

/** From which units activation came to a unit, by step. A passage is shown as the best of its units. */
function sourcesIn({ hits, settings, candidates, links }: PicturedSearch) {
  const passages = foundPassages(hits, settings);
  const byKey = new Map(passages.map((passage) => [passage.key, passage]));
  const around = passedOnAround(passages, settings.without);
  const reached = new Map(neighboursOf(passages, settings.lines).map((each) => [each.id, each.from]));
  const best = bestOfDocuments(passages);
  const linksTo = strongestLinks(candidates, links);
  const passageOf = ({ passage }: Visit) => byKey.get(passage);
  return {
    neighbours: (visit: Visit): Source[] => {
      const passage = passageOf(visit);
      const passed = passage ? around(passage) : (reached.get(visit.id) ?? []);
      return passed.map(({ from, amount }) => ({ id: bestUnitOf(from), type: 'neighbour', amount }));
    },
    documents: (visit: Visit): Source[] => {
      const shared = best.get(passageOf(visit)?.documentKey ?? '');
      if (!shared) return [];
      const sum = shared.passages.reduce((total, { match }) => total + totalOf(match), 0);
      return shared.passages.map((from) => {
        const share = sum === 0 ? 0 : totalOf(from.match) / sum;
        return { id: bestUnitOf(from), type: 'document', amount: documentShare * shared.mean * share };
      });
    },
    links: (visit: Visit): Source[] => linksTo(visit).map(({ from, type, amount }) => ({ id: from, type, amount })),
  };
}

function bestUnitOf({ units }: FoundPassage): string {
  const best = units.reduce((left, right) => (totalOf(right.match) > totalOf(left.match) ? right : left));
  return best.id;
}

function stagesOf(search: PicturedSearch, byActivation: readonly Candidate[]): SearchPicture['stages'] {
  const { inOrder, reranked, resultIds } = search;
  const idsOf = (ranked: readonly Ranked[]) => ranked.slice(0, maxUnits).map(({ unit }) => unit._id);
  return [
    { name: 'activation', ids: byActivation.slice(0, maxUnits).map(({ id }) => id) },
    { name: 'rerank', ids: idsOf(inOrder) },
    ...(reranked === inOrder ? [] : [{ name: 'cross-encoder' as const, ids: idsOf(reranked) }]),
    { name: 'results', ids: resultIds.slice(0, maxUnits) },
  ];
}
