export { type BoundedLog, boundLogs, type LogBounds } from './bound-logs.ts';
export * from './errors.ts';
export { findFreePort } from './free-port.ts';
export { LocalSecretError, localSecret, type SecretName } from './local-secret.ts';
export { createProgressPrinter, describeProgress, type OnProgress, type Progress } from './progress.ts';
export type { Durability, Server, ServerExit, ServerName } from './server.ts';
export type { Stack } from './stack.ts';
export { type StartStackOptions, startStack } from './start-stack.ts';
export { startTestStack, type TestStackOptions } from './test-stack.ts';
