import type { Entity } from './ports.ts';

/** The Big Five traits, each 0 to 1. */
export interface Traits {
  readonly openness: number;
  readonly conscientiousness: number;
  readonly extraversion: number;
  readonly agreeableness: number;
  readonly neuroticism: number;
}

/** Names of the Big Five traits, in the order of prompts. */
export const traitNames = [
  'openness',
  'conscientiousness',
  'extraversion',
  'agreeableness',
  'neuroticism',
] as const satisfies readonly (keyof Traits)[];

/** The Big Five traits and how strongly they influence opinions, each 0 to 1. */
export interface Personality extends Traits {
  readonly bias_strength: number;
}

/** What of an agent influences its answers. */
export interface AgentCharacter {
  readonly personality: Personality;
  /** In the first person; may be blank. */
  readonly background: string;
}

/** A memory that an answer may be based on. */
export interface ThinkFact {
  readonly text: string;
  /** ISO 8601, or null when it has no date. */
  readonly eventDate: string | null;
  /** How well the search found that it matches the question, 0 to 1; absent when it was not found by a search. */
  readonly score?: number | undefined;
  /** Whether the search considers it relevant to the question (`high`) or just the best there is (`low`). */
  readonly relevance?: 'high' | 'low' | undefined;
}

export interface HeldOpinion extends ThinkFact {
  /** 0 to 1; null when it was stored without one. */
  readonly confidence: number | null;
}

export interface ThinkInput {
  readonly query: string;
  /** Additional information from the caller. */
  readonly context: string | null;
  readonly agent: AgentCharacter;
  readonly worldFacts: readonly ThinkFact[];
  /** Experiences of the agent. */
  readonly agentFacts: readonly ThinkFact[];
  readonly opinions: readonly HeldOpinion[];
  /** ISO 8601; the present time for the answer. Days are shown at its offset. */
  readonly now: string;
}

/** Answers a question from the memories of an agent. */
export interface Thinker {
  readonly name: string;
  /** Which prompt was used, such as `think.v2`; `none` when there is none. */
  readonly promptVersion: string;
  /**
   * @returns the answer as plain text, never blank
   * @throws ModelError when the model gives none; the signal's reason when it is aborted
   */
  think(input: ThinkInput, signal?: AbortSignal): Promise<string>;
}

export interface OpinionInput {
  readonly query: string;
  readonly answer: string;
  readonly agent: AgentCharacter;
  /** Texts of opinions that the agent already has, which are not formed again. */
  readonly knownOpinions: readonly string[];
}

export interface FormedOpinion {
  /** In the first person, understandable on its own. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly entities: readonly Entity[];
}

export interface RevisionInput {
  readonly opinion: { readonly text: string; readonly confidence: number };
  /** When the opinion was formed. ISO 8601. */
  readonly formedAt: string;
  /** The date of the newest fact for which it was revised, no later than the fact became known; null when it was not. ISO 8601. */
  readonly factsUntil: string | null;
  /** New facts that affect the opinion, at least one. */
  readonly facts: readonly Pick<ThinkFact, 'text' | 'eventDate'>[];
  readonly agent: AgentCharacter;
  /** ISO 8601; the present time for the revision. Days are shown at its offset. */
  readonly now: string;
}

export const revisionVerdicts = ['keep', 'raise', 'lower', 'rewrite'] as const;
export type RevisionVerdict = (typeof revisionVerdicts)[number];

/** The result of revising an opinion. */
export type OpinionRevision = WeighedOpinion | RewrittenOpinion;

export interface WeighedOpinion {
  readonly verdict: Exclude<RevisionVerdict, 'rewrite'>;
  /** Unchanged. */
  readonly text: string;
  /** 0 to 1: unchanged for `keep`, higher for `raise`, lower for `lower`. */
  readonly confidence: number;
}

export interface RewrittenOpinion {
  readonly verdict: 'rewrite';
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Of the new text. */
  readonly entities: readonly Entity[];
}

/** Forms opinions from answers, and revises opinions when new facts affect them. */
export interface OpinionFormer {
  readonly name: string;
  readonly promptVersion: string;
  /** @returns the new opinions in an answer, which may be none */
  form(input: OpinionInput, signal?: AbortSignal): Promise<FormedOpinion[]>;
  revise(input: RevisionInput, signal?: AbortSignal): Promise<OpinionRevision>;
}

export interface BackgroundInput {
  /** Blank when there is none. */
  readonly current: string;
  readonly addition: string;
}

/** Maintains the background text of an agent. */
export interface BackgroundWriter {
  readonly name: string;
  readonly promptVersion: string;
  /** @returns the merged background in the first person; the addition overrides contradicting statements */
  merge(input: BackgroundInput, signal?: AbortSignal): Promise<string>;
  /** @returns the Big Five traits that a background indicates; 0.5 where it indicates nothing */
  inferTraits(background: string, signal?: AbortSignal): Promise<Traits>;
}
