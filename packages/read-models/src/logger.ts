import type { Logger } from 'pino';

/** The part of a pino logger that this package uses. */
export type ReadModelLogger = Pick<Logger, 'info' | 'warn' | 'error'>;
