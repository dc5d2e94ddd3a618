import type { FactType, RecallOptions } from '@mneme/client';
import { dayIn, type Field, only, textIn } from '../../app/address-fields.ts';

export const rerankers = ['heuristic', 'none', 'cross-encoder'] as const satisfies readonly RecallOptions['reranker'][];
const factTypes: readonly FactType[] = ['world', 'agent', 'opinion'];

/** How a question is searched; what is left out has the server's default. */
export interface Settings {
  /** Another agent than that of the page. */
  readonly agent?: string;
  readonly types?: readonly FactType[];
  /** Days in the reader's zone, such as `2026-03-01`. */
  readonly since?: string;
  readonly until?: string;
  readonly asked?: string;
  readonly document?: string;
  readonly budget?: number;
  readonly tokens?: number;
  readonly limit?: number;
  readonly minScore?: number;
  readonly reranker?: (typeof rerankers)[number];
}

/** What the address says: a search can be sent as a link. */
export interface SearchAddress {
  readonly agent?: string;
  readonly q?: string;
  /** The memory whose panel is open. */
  readonly unit?: string;
  readonly a?: Settings;
  /** With it two searches are shown side by side. */
  readonly b?: Settings;
}

/** Whatever somebody wrote into the address; what is not valid is left out. */
export function searchAddressOf(given: Record<string, unknown>): SearchAddress {
  return {
    ...textIn('agent', given),
    ...textIn('q', given),
    ...textIn('unit', given),
    ...settingsIn('a', given),
    ...settingsIn('b', given),
  };
}

function settingsIn<K extends string>(name: K, given: Record<string, unknown>): Field<K, Settings> {
  const value = given[name];
  if (typeof value !== 'object' || value === null) return {};
  const fields = value as Record<string, unknown>;
  const types = Array.isArray(fields.types)
    ? factTypes.filter((type) => (fields.types as unknown[]).includes(type))
    : [];
  const reranker = rerankers.find((known) => known === fields.reranker);
  const settings: Settings = {
    ...textIn('agent', fields),
    ...textIn('document', fields),
    ...dayIn('since', fields),
    ...dayIn('until', fields),
    ...dayIn('asked', fields),
    ...numberIn('budget', fields),
    ...numberIn('tokens', fields),
    ...numberIn('limit', fields),
    ...numberIn('minScore', fields),
    ...(types.length > 0 && { types }),
    ...(reranker && { reranker }),
  };
  return only(name, settings);
}

function numberIn<K extends string>(name: K, given: Record<string, unknown>): Field<K, number> {
  const value = given[name];
  return typeof value === 'number' && Number.isFinite(value) ? only(name, value) : {};
}
