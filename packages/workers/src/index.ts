export { createLimiter, type Limiter } from './limiter.ts';
export {
  createWorkerPool,
  defaultThreads,
  WorkerCrashError,
  type WorkerPool,
  WorkerTimeoutError,
} from './worker-pool.ts';
