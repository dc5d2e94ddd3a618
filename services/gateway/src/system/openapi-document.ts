import { apiRoutes, createOpenApi, systemRoutes, webhookIntake } from '@mneme/contracts';
import { createWorkerPool } from '@mneme/workers';

/** Many times what it takes on an idle machine, in milliseconds. */
const timeLimitMs = 60_000;

/**
 * Makes the OpenAPI document of all routes when it is first asked for, in a thread: it takes about half a second, which
 * neither the start nor the requests of others are to wait for.
 * @returns tells it as JSON text
 */
export function createOpenApiDocument(): () => Promise<string> {
  let made: Promise<string> | undefined;
  const make = async () => {
    const pool = createWorkerPool({ module: new URL(import.meta.url), threads: 1 });
    try {
      return await pool.run<string>('openApiText', undefined, { timeLimitMs });
    } catch (error) {
      made = undefined;
      throw error;
    } finally {
      await pool.close();
    }
  };
  return () => {
    made ??= make();
    return made;
  };
}

/** Makes the document without a thread; the thread runs it. @returns JSON text */
export function openApiText(): string {
  return JSON.stringify(createOpenApi({ ...apiRoutes, ...webhookIntake, ...systemRoutes }));
}
