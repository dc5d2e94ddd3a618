import type { FoundLink, FoundUnit } from '../../read-model/remembered.ts';
import { bestFirst, type VectorHits } from '../../vectors/vector-index.ts';
import { diversity, type SearchPart, spreadByLink, unitShare } from '../search-settings.ts';
import {
  foundPassages,
  type Match,
  type MatchSettings,
  neighboursOf,
  questionsBefore,
  spreadAmong,
  totalOf,
} from './passages.ts';

/** The parts of a unit's activation. All of them are 0 or more. */
export interface Activation {
  /** Its own words and meaning. */
  readonly own: number;
  /** The words of its passage, and the meaning of the units there. */
  readonly passage: number;
  /** From the passages before and after. */
  readonly neighbours: number;
  /** From the best passages of its document. */
  readonly document: number;
  /** From the units to which it is linked. */
  readonly links: number;
}

/** A unit to visit. */
export interface Visit {
  readonly id: string;
  /** `entry`: found by a method; `neighbour`: stands beside one that was; `link`: is linked to an entry. */
  readonly by: 'entry' | 'neighbour' | 'link';
  /** Units of one passage have the same. */
  readonly passage: string;
  /** Its own; none if it was only reached. */
  readonly match: Match;
  /** Of its passage. */
  readonly passageMatch: Match;
  readonly activation: Activation;
  /** The unit with the question that stands right before it in its document. */
  readonly asked?: string | undefined;
}

/** A visited unit as it was read. */
export interface Candidate extends Visit {
  readonly unit: FoundUnit;
}

const noMatch: Match = { words: 0, meaning: 0 };

export function activationOf({ own, passage, neighbours, document, links }: Activation): number {
  return own + passage + neighbours + document + links;
}

/**
 * Activates the units that the methods found by their own match and that of their passage, and spreads activation to the
 * passages around and within documents, also to units there that no method found.
 */
export function activate(hits: VectorHits, settings: MatchSettings): Visit[] {
  const passages = foundPassages(hits, settings);
  const spreadTo = spreadAmong(passages, settings.without);
  const askedBefore = questionsBefore(passages);
  const entries = passages.flatMap((each) => {
    const { neighbours, document } = spreadTo(each);
    return each.units.map(({ id, match, fact, passage }): Visit => {
      const own = unitShare.words * match.words + unitShare.meaning * match.meaning;
      const activation = { own, passage: totalOf(each.match), neighbours, document, links: 0 };
      const asked = askedBefore({ line: each.line, at: each.first + fact - passage.first });
      return { id, by: 'entry', passage: each.key, match, passageMatch: each.match, activation, asked };
    });
  });
  if (settings.without.has('neighbours')) return entries;
  const reached = neighboursOf(passages, settings.lines).map(({ id, position, spread }): Visit => {
    const activation = { own: 0, passage: 0, neighbours: spread, document: 0, links: 0 };
    const asked = askedBefore(position);
    return { id, by: 'neighbour', passage: id, match: noMatch, passageMatch: noMatch, activation, asked };
  });
  return [...entries, ...reached];
}

export interface Ordering {
  /** Parts that are switched off. */
  readonly without: ReadonlySet<SearchPart>;
  /** Which units stay although they have nothing in common with the question; they come last. None unless given. */
  readonly keeps?: ((id: string) => boolean) | undefined;
  /** Which units are visited before all others, whatever they have in common with the question. None unless given. */
  readonly first?: ((id: string) => boolean) | undefined;
}

/** The best visits, at most `budget`, best first. */
export function planVisits(visits: readonly Visit[], budget: number, { without, keeps, first }: Ordering): Visit[] {
  const scored = visits.map((visit) => {
    const { id, passage, activation } = visit;
    return { visit, id, passage, score: activationOf(activation) };
  });
  const wanted = scored.filter(({ score, id }) => score > 0 || keeps?.(id));
  const share = without.has('diversity') ? 1 : diversity.visits;
  const early = wanted.filter(({ id }) => first?.(id));
  const others = wanted.filter(({ id }) => !first?.(id));
  const inOrder = [early, others].flatMap((some) => diversify(some, share, budget));
  return inOrder.slice(0, budget).map(({ visit }) => visit);
}

/** What is sorted by score, with the passage that it belongs to. */
export interface Sortable {
  readonly id: string;
  readonly passage: string;
  readonly score: number;
}

/**
 * Sorts by score, best first, always in the same order. Of each passage the best counts in full, the second `share` times as
 * much, the third `share` times as much as that.
 * @param most how many are returned
 */
export function diversify<T extends Sortable>(
  items: readonly T[],
  share: number,
  most = Number.POSITIVE_INFINITY,
): (T & { share: number })[] {
  const seen = new Map<string, number>();
  const shared: (T & { share: number })[] = [];
  for (const item of items.toSorted(bestFirst)) {
    // Those that count in full are better than everything that is left.
    if (seen.size >= most) break;
    const rank = seen.get(item.passage) ?? 0;
    seen.set(item.passage, rank + 1);
    const left = share ** rank;
    shared.push({ ...item, share: left, score: item.score * left });
  }
  return shared.sort(bestFirst).slice(0, most);
}

/** Spreads over links, from the own match of the units. Only the strongest link of each type counts. */
export function spreadOverLinks<V extends Visit>(visits: readonly V[], links: readonly FoundLink[]): V[] {
  const linksTo = strongestLinks(visits, links);
  return visits.map((visit) => {
    const spread = linksTo(visit).reduce((sum, { amount }) => sum + amount, 0);
    return spread === 0 ? visit : { ...visit, activation: { ...visit.activation, links: spread } };
  });
}

/** What spreads over one link. */
export interface LinkSpread {
  readonly from: string;
  readonly type: FoundLink['type'];
  readonly amount: number;
}

/** What spreads to a unit over the strongest link of each type. */
export function strongestLinks(visits: readonly Visit[], links: readonly FoundLink[]) {
  const byId = new Map(visits.map((each) => [each.id, each]));
  const ofEnds = linksByEnd(links);
  return ({ id }: Visit): LinkSpread[] => {
    const strongest = new Map<FoundLink['type'], LinkSpread>();
    for (const { type, from, to, weight } of ofEnds.get(id) ?? []) {
      const source = byId.get(from === id ? to : from);
      if (!source) continue;
      const amount = totalOf(source.match) * weight * spreadByLink[type];
      if (amount > (strongest.get(type)?.amount ?? 0)) strongest.set(type, { from: source.id, type, amount });
    }
    return [...strongest.values()];
  };
}

/** A visit of a unit that is only linked. */
export function linkedVisit(id: string): Visit {
  const activation = { own: 0, passage: 0, neighbours: 0, document: 0, links: 0 };
  return { id, by: 'link', passage: id, match: noMatch, passageMatch: noMatch, activation };
}

function linksByEnd(links: readonly FoundLink[]): ReadonlyMap<string, readonly FoundLink[]> {
  const byEnd = new Map<string, FoundLink[]>();
  for (const link of links) {
    for (const end of [link.from, link.to]) {
      const known = byEnd.get(end);
      if (known) known.push(link);
      else byEnd.set(end, [link]);
    }
  }
  return byEnd;
}
