import type { Entity } from './ports.ts';

/** The Big Five, each 0 to 1. */
export interface Traits {
  readonly openness: number;
  readonly conscientiousness: number;
  readonly extraversion: number;
  readonly agreeableness: number;
  readonly neuroticism: number;
}

/** Names of the Big Five, in the order in which they are told to a model. */
export const traitNames = [
  'openness',
  'conscientiousness',
  'extraversion',
  'agreeableness',
  'neuroticism',
] as const satisfies readonly (keyof Traits)[];

/** The Big Five and how strongly they colour opinions, each 0 to 1. */
export interface Personality extends Traits {
  readonly bias_strength: number;
}

/** Who thinks. */
export interface AgentCharacter {
  readonly personality: Personality;
  /** In the first person; blank when nothing is known. */
  readonly background: string;
}

/** Something remembered that an answer may rest on. */
export interface ThinkFact {
  readonly text: string;
  /** ISO 8601, or null when it has no date. */
  readonly eventDate: string | null;
}

export interface HeldOpinion extends ThinkFact {
  /** 0 to 1; null when it was stored without one. */
  readonly confidence: number | null;
}

export interface ThinkInput {
  readonly query: string;
  /** What the caller adds to the question. */
  readonly context: string | null;
  readonly agent: AgentCharacter;
  readonly worldFacts: readonly ThinkFact[];
  /** What the agent itself did. */
  readonly agentFacts: readonly ThinkFact[];
  readonly opinions: readonly HeldOpinion[];
  /** ISO 8601; "today" of the answer. */
  readonly now: string;
}

/** Answers a question out of what an agent remembers. */
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
  /** Texts of opinions that the agent has already; these are not formed again. */
  readonly knownOpinions: readonly string[];
}

export interface FormedOpinion {
  /** In the first person, understandable alone. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly entities: readonly Entity[];
}

export interface RevisionInput {
  readonly opinion: { readonly text: string; readonly confidence: number };
  /** New facts that bear on the opinion, at least one. */
  readonly facts: readonly string[];
  readonly agent: AgentCharacter;
}

export const revisionVerdicts = ['keep', 'raise', 'lower', 'rewrite'] as const;
export type RevisionVerdict = (typeof revisionVerdicts)[number];

/** What becomes of an opinion. */
export type OpinionRevision = WeighedOpinion | RewrittenOpinion;

export interface WeighedOpinion {
  readonly verdict: Exclude<RevisionVerdict, 'rewrite'>;
  /** As it was. */
  readonly text: string;
  /** 0 to 1: as it was for `keep`, higher for `raise`, lower for `lower`. */
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

/** Finds the beliefs in an answer, and weighs them again when facts come in. */
export interface OpinionFormer {
  readonly name: string;
  readonly promptVersion: string;
  /** @returns the new beliefs of an answer; none when it holds none */
  form(input: OpinionInput, signal?: AbortSignal): Promise<FormedOpinion[]>;
  revise(input: RevisionInput, signal?: AbortSignal): Promise<OpinionRevision>;
}

export interface BackgroundInput {
  /** Blank when there is none yet. */
  readonly current: string;
  readonly addition: string;
}

/** Keeps the text about who an agent is. */
export interface BackgroundWriter {
  readonly name: string;
  readonly promptVersion: string;
  /** @returns the whole new background in the first person; where both contradict each other, the addition holds */
  merge(input: BackgroundInput, signal?: AbortSignal): Promise<string>;
  /** @returns what a background tells about the Big Five; 0.5 where it tells nothing */
  inferTraits(background: string, signal?: AbortSignal): Promise<Traits>;
}
