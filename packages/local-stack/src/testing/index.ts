export { mongodArguments } from '../servers/mongod.ts';
export { natsConfiguration } from '../servers/nats.ts';
export type { Stack } from '../stack/stack.ts';
export { waitUntil } from '../wait-until.ts';
export { damageFile } from './damaged-file.ts';
export { type OidcProvider, startOidcProvider } from './oidc-provider.ts';
export { casesOf, scaled } from './scaled.ts';
export { createTestServer, startTestNats } from './test-server.ts';
export { startTestStack } from './test-stack.ts';
