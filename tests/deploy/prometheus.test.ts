import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hasKubectl, render } from './manifests.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operating/README.md'), 'utf8');

interface Rule {
  readonly source_labels: readonly [string];
  readonly regex: string;
  readonly action: string;
}

describe.skipIf(!hasKubectl())('Prometheus on Kubernetes, as the documentation configures it (needs kubectl)', () => {
  it('reads the metrics of every service once, and nothing else', () => {
    const [, block = ''] = /```yaml\n(scrape_configs:\n[^`]*kubernetes_sd_configs[^`]*)```/.exec(page) ?? [];
    const [job] = parse(block).scrape_configs;
    // The alerts look for this name.
    expect(job.job_name).toBe('mneme');
    const found = render('single').flatMap(({ metadata, spec }) => {
      const ports = spec?.template?.spec.containers.flatMap((container) => container.ports ?? []) ?? [];
      expect([metadata.namespace ?? 'mneme']).toEqual(job.kubernetes_sd_configs[0].namespaces.names);
      const component = spec?.template?.metadata.labels['app.kubernetes.io/component'];
      const targets = ports.map(({ containerPort }) => ({
        __meta_kubernetes_pod_label_app_kubernetes_io_component: component,
        __meta_kubernetes_pod_container_port_number: String(containerPort),
      }));
      return targets.filter((target) => job.relabel_configs.every(keeps(target))).map(() => metadata.name);
    });
    expect(found.toSorted()).toEqual(['gateway', 'keys', 'memory-ingest', 'memory-query', 'webhook']);
  });
});

function keeps(target: Readonly<Record<string, string | undefined>>) {
  return ({ source_labels: [label], regex, action }: Rule) =>
    action === 'keep' && new RegExp(`^(?:${regex})$`).test(target[label] ?? '');
}
