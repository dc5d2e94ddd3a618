export { createLimiter, type Limiter } from './limiter.ts';
export {
  createWorkerPool,
  defaultThreads,
  isLongText,
  WorkerCrashError,
  type WorkerPool,
  WorkerTimeoutError,
} from './worker-pool.ts';
