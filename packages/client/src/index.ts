export type {
  Agent,
  ContextOptions,
  Item,
  RecallOptions,
  RememberOptions,
  ThinkOptions,
} from './agent.ts';
export { isWorthRepeating, MnemeError } from './http/error.ts';
export { ExactNumber } from './http/exact-number.ts';
export type { CommandOptions, ReadOptions, RequestOptions } from './http/request.ts';
export { Mneme, type MnemeOptions } from './mneme.ts';
export type { List, PageOptions } from './paging.ts';
export { type ChatMessage, recalledBlock, recalledLine, recalledNotice } from './prompt-block.ts';
export type * from './schemas.ts';
