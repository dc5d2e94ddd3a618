import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { apiTypes, apiTypesFile } from '../build/api-types.ts';

test('api.ts is what the OpenAPI document gives: run `pnpm generate` in packages/client after a change of the API', async () => {
  expect(await readFile(apiTypesFile, 'utf8')).toBe(await apiTypes());
});
