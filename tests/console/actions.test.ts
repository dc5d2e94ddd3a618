import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  accessRoutes,
  callerRoutes,
  memoryRoutes,
  operatorRoutes,
  sessionRoutes,
  systemRoutes,
  tableRoutes,
  webhookRoutes,
  webhookStreams,
} from '@mneme/contracts';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../../docs/console/actions.md'), 'utf8');
const routes = {
  ...accessRoutes,
  ...callerRoutes,
  ...memoryRoutes,
  ...sessionRoutes,
  ...webhookRoutes,
  ...tableRoutes,
  ...webhookStreams,
  ...operatorRoutes,
  ...systemRoutes,
};

test('docs/console/actions.md says of every request where the console makes it, or why not', () => {
  const requests = Object.values(routes).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(requests.filter((request) => !page.includes(`\`${request}\``))).toEqual([]);
});
