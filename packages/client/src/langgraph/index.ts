export {
  type MessageLike,
  type RecallNodeOptions,
  type RememberNodeOptions,
  recallNode,
  rememberNode,
} from './nodes.ts';
export { MnemeStore, type MnemeStoreOptions } from './store.ts';
