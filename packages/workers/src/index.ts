export { createLimiter, type Limiter } from './limiter.ts';
export {
  createWorkerPool,
  defaultThreads,
  isLongText,
  longTasksAtOnce,
  WorkerCrashError,
  type WorkerPool,
  WorkerTimeoutError,
} from './worker-pool.ts';
