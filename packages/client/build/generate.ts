import { writeFile } from 'node:fs/promises';
import { apiTypes, apiTypesFile } from './api-types.ts';

await writeFile(apiTypesFile, await apiTypes());
