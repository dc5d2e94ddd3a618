import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const root = join(import.meta.dirname, '../..');

interface IngressPath {
  readonly path: string;
  readonly pathType: string;
  readonly backend: { readonly service: { readonly name: string } };
}

test('the Ingress of the examples leads /metrics to a Service without pods, and all else to the gateway', () => {
  const text = readFileSync(join(root, 'deploy/kubernetes/examples/ingress.yaml'), 'utf8');
  const manifests = parseAllDocuments(text).map((document) => document.toJS());
  const service = manifests.find(({ kind }) => kind === 'Service');
  expect(service.spec.selector).toBeUndefined();
  const ingress = manifests.find(({ kind }) => kind === 'Ingress');
  const paths: readonly IngressPath[] = ingress.spec.rules[0].http.paths;
  expect(paths.map(({ path, pathType, backend }) => [path, pathType, backend.service.name])).toEqual([
    ['/metrics', 'Prefix', service.metadata.name],
    ['/', 'Prefix', 'gateway'],
  ]);
});

test('the Caddyfile of the documentation refuses /metrics, and finds out that a gateway stops', () => {
  const page = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
  const [caddyfile = ''] = /^memory\.example\.org \{\n.*?^\}$/ms.exec(page) ?? [];
  expect(caddyfile).toMatch(/^ {2}respond \/metrics\* 404$/m);
  expect(caddyfile).toMatch(/^ {4}health_uri \/readyz\?own=true$/m);
  // Caddy takes an opening brace at the end of a line only.
  expect(caddyfile).not.toMatch(/\{ *\S/);
});
