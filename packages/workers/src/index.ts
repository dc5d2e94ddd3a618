export { createLimiter, type Limiter } from './limiter.ts';
export {
  createWorkerPool,
  type RunOptions,
  WorkerCrashError,
  type WorkerPool,
  type WorkerPoolOptions,
  WorkerTimeoutError,
} from './worker-pool.ts';
