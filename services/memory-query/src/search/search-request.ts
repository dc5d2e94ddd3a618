import type { FactType, rerankers } from '@mneme/contracts';

/** What a search is asked for. */
export interface Search {
  readonly space: string;
  readonly agentId: string;
  readonly query: string;
  /** Empty: all three. */
  readonly factTypes: readonly FactType[];
  /** The most units that are looked at. */
  readonly thinkingBudget: number;
  /** Tokens of cl100k over the texts of the results. */
  readonly maxTokens: number;
  readonly reranker: (typeof rerankers)[number];
  readonly trace: boolean;
  /** ISO 8601 with an offset; null: now. */
  readonly questionDate: string | null;
}
