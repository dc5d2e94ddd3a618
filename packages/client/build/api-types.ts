import { apiRoutes, createOpenApi } from '@mneme/contracts';
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** The file that the types are written to. */
export const apiTypesFile = new URL('../src/api.ts', import.meta.url);

const heading = '// Generated from the OpenAPI document by `pnpm generate`; do not edit.\n\n';

interface Operation {
  readonly parameters?: readonly { readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>;
}

/** @returns TypeScript that describes the requests and successful replies of the HTTP API */
export async function apiTypes(): Promise<string> {
  const { paths, components, ...document } = JSON.parse(JSON.stringify(createOpenApi(apiRoutes)));
  const leanPaths = mapValues(paths, (path) => mapValues(path as Record<string, Operation>, lean));
  const lean31 = { ...document, paths: leanPaths, components: { schemas: components.schemas } } as OpenAPI3;
  // A request may omit what has a default.
  return heading + astToString(await openapiTypes(lean31, { defaultNonNullable: false }));
}

/** Headers and errors are the same for all operations; the client has one way to handle them. */
function lean({ parameters = [], responses, ...operation }: Operation) {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return {
    ...operation,
    parameters: parameters.filter(({ in: place }) => place !== 'header'),
    responses: Object.fromEntries(successes.map(([status, { content }]) => [status, { description: '', content }])),
  };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
