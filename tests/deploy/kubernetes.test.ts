import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Container, hasKubectl, type Manifest, type PodTemplate, render, titleOf } from './manifests.ts';

const root = join(import.meta.dirname, '../..');
const documentedSettings =
  readFileSync(join(root, 'docs/settings.md'), 'utf8') + readFileSync(join(root, 'docs/models.md'), 'utf8');
const services = ['gateway', 'memory-ingest', 'memory-query', 'keys', 'webhook'];
const servers = ['nats', 'mongodb', 'qdrant'];

describe.skipIf(!hasKubectl()).each(['single', 'cluster'])('the overlay %s (needs kubectl)', (overlay) => {
  const manifests = hasKubectl() ? render(overlay) : [];
  const workloads = manifests.flatMap((manifest) => {
    const template = manifest.spec?.template;
    return template === undefined
      ? []
      : [{ title: titleOf(manifest), name: manifest.metadata.name, manifest, template }];
  });
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);

  it('is valid by the schemas of Kubernetes', async () => {
    const faults = await Promise.all(manifests.map(faultOf));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    const [workload] = workloads;
    const wrong = {
      ...workload?.manifest,
      spec: { ...workload?.manifest.spec, replicas: 'two' },
    } as unknown as Manifest;
    expect(await faultOf(wrong)).toContain('replicas');
  });

  it('has every service and server, all in one namespace that enforces the restricted standard', () => {
    expect(workloads.map(({ name }) => name).toSorted()).toEqual([...services, ...servers].toSorted());
    const [namespace] = ofKind('Namespace');
    expect(namespace?.metadata).toMatchObject({ labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } });
    const others = manifests.filter(({ kind }) => kind !== 'Namespace');
    expect(others.filter(({ metadata }) => metadata.namespace !== namespace?.metadata.name).map(titleOf)).toEqual([]);
  });

  it('keeps the restricted Pod Security Standard', () => {
    const faults = workloads.flatMap(({ title, template }) =>
      restrictedFaults(template).map((fault) => `${title}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('is asked whether it started, lives and is ready at ports that it has, and has requests and limits', () => {
    for (const { title, template } of workloads) {
      for (const container of template.spec.containers) {
        expect(probeFaults(container), title).toEqual([]);
        expect(container.resources, title).toMatchObject({
          requests: { cpu: expect.anything() },
          limits: { memory: expect.anything() },
        });
      }
    }
  });

  it('sends requests to a gateway that reaches the event log, whatever else is away', () => {
    const gateway = workloads.find(({ name }) => name === 'gateway')?.template.spec.containers[0];
    expect(gateway?.readinessProbe?.httpGet?.path).toBe('/readyz?own=true');
  });

  it('keeps gateways in their Service while streams get another leader, which takes 7 s', () => {
    const gateway = workloads.find(({ name }) => name === 'gateway')?.template.spec.containers[0];
    expect(gateway?.readinessProbe).toMatchObject({ periodSeconds: 5, failureThreshold: 4 });
  });

  it('takes the next of three NATS servers down when the streams of the last one have caught up', () => {
    const nats = workloads.find(({ name }) => name === 'nats')?.template.spec.containers[0];
    const ofServer = '/healthz?js-server-only=true';
    // One server that waited for a stream which cannot be recovered would serve no stream at all.
    expect(nats?.startupProbe?.httpGet?.path).toBe(overlay === 'cluster' ? '/healthz' : ofServer);
    // A server whose replicas are behind for a moment serves its clients all the same.
    expect(nats?.readinessProbe?.httpGet?.path).toBe(ofServer);
  });

  it('finds the peers of NATS before they are ready, so that a new cluster can elect its leader', () => {
    const peers = ofKind('Service').find(({ metadata }) => metadata.name === 'nats-peers');
    expect(peers?.spec.publishNotReadyAddresses).toBe(true);
    const nats = ofKind('StatefulSet').find(({ metadata }) => metadata.name === 'nats');
    expect(nats?.spec.podManagementPolicy).toBe('Parallel');
  });

  it('asks a gateway under a name that it answers to without credentials', () => {
    const gateway = workloads.find(({ name }) => name === 'gateway')?.template.spec.containers[0];
    const httpHeaders = [{ name: 'Host', value: 'localhost' }];
    expect(gateway?.readinessProbe?.httpGet).toMatchObject({ port: 8080, httpHeaders });
  });

  it('leads requests to gateways of this version and of those before and after it, and never to their health', () => {
    const service = ofKind('Service').find(({ metadata }) => metadata.name === 'gateway');
    expect(service?.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 8080 }]);
    const policy = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'gateway');
    expect(policy?.spec.ingress).toEqual([{ ports: [{ port: 8080 }] }]);
    // Services of earlier versions look up `health` in the pods of this one.
    const gateway = workloads.find(({ name }) => name === 'gateway')?.template.spec.containers[0];
    expect(gateway?.ports).toContainEqual({ name: 'health', containerPort: 8080 });
  });

  it('asks whether a service lives at a port that callers do not use up', () => {
    for (const { name, template } of workloads.filter(({ name }) => services.includes(name))) {
      const [container] = template.spec.containers;
      expect(container?.startupProbe?.httpGet, name).toEqual({ path: '/healthz', port: 9090 });
      expect(container?.livenessProbe?.httpGet, name).toEqual({ path: '/healthz', port: 9090 });
    }
  });

  it('lets the namespace monitoring read metrics at a port of every service', () => {
    const [reached] = ofKind('NetworkPolicy').flatMap(({ spec }) =>
      JSON.stringify(spec.ingress ?? '').includes('"monitoring"') ? (spec.ingress as { ports: object[] }[]) : [],
    );
    expect(reached?.ports).toEqual([{ port: 9090 }]);
    for (const { name, template } of workloads.filter(({ name }) => services.includes(name)))
      expect(template.spec.containers[0]?.ports, name).toContainEqual(expect.objectContaining({ containerPort: 9090 }));
  });

  it('gives every service more time to end than it takes', () => {
    const ofServices = workloads.filter(({ name }) => services.includes(name));
    expect(ofServices).toHaveLength(services.length);
    expect(ofServices.every(({ template }) => template.spec.terminationGracePeriodSeconds > 25)).toBe(true);
  });

  it('sets what docs/settings.md names, and uses a variable only behind its definition', () => {
    const settings = ofKind('ConfigMap').find(({ metadata }) => metadata.name.startsWith('mneme-settings'));
    const ofServices = workloads
      .filter(({ name }) => services.includes(name))
      .flatMap(({ template }) => template.spec.containers);
    const names = [
      ...Object.keys(settings?.data ?? {}),
      ...ofServices.flatMap(({ env = [] }) => env.map(({ name }) => name)),
    ];
    expect(names.filter((name) => !documentedSettings.includes(`\`${name}\``))).toEqual([]);
    expect(
      workloads.flatMap(({ title, template }) =>
        template.spec.containers.flatMap((container) => earlyUses(title, container)),
      ),
    ).toEqual([]);
  });

  it('contains no secret, and names those of `mneme secrets`', () => {
    expect(ofKind('Secret')).toEqual([]);
    const example = parseAllDocuments(
      readFileSync(join(root, 'deploy/kubernetes/examples/external-secret.yaml'), 'utf8'),
    )[0]?.toJS();
    const shown = example.spec.data.map(({ secretKey }: { secretKey: string }) => secretKey);
    const required = workloads.flatMap(({ template }) => template.spec.containers.flatMap(requiredSecrets));
    expect([...new Set(required)].filter((key) => !shown.includes(key))).toEqual([]);
  });

  it('lets nothing in that no policy names, and only the gateway from outside', () => {
    const policies = ofKind('NetworkPolicy');
    const nothingElse = policies.find(
      ({ spec }) => JSON.stringify(spec.podSelector) === '{}' && !spec.ingress && !spec.egress,
    );
    expect(nothingElse?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    const open = policies.filter(({ spec }) =>
      (spec.ingress as { from?: unknown }[] | undefined)?.some(({ from }) => from === undefined),
    );
    expect(open.map(titleOf)).toEqual(['NetworkPolicy gateway']);
    expect(manifests.filter(({ spec }) => ['NodePort', 'LoadBalancer'].includes(String(spec?.type)))).toEqual([]);
  });

  it('lets services reach each server by the first rule of a policy, which docs/deploying.md replaces', () => {
    const policies = { services: 'nats', 'uses-mongodb': 'mongodb', 'uses-qdrant': 'qdrant' };
    for (const [name, server] of Object.entries(policies)) {
      const { egress } = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === name)?.spec ?? {};
      const to = [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': server } } }];
      expect((egress as object[] | undefined)?.[0], name).toMatchObject({ to });
    }
  });

  it('says how many instances may be away, and how many there are where work is shared', () => {
    const names = (kind: string) =>
      ofKind(kind)
        .map(({ metadata }) => metadata.name)
        .toSorted();
    const covered = overlay === 'cluster' ? [...services, ...servers] : services;
    expect(names('PodDisruptionBudget')).toEqual(covered.toSorted());
    expect(names('HorizontalPodAutoscaler')).toEqual(['gateway', 'memory-ingest', 'memory-query']);
    const counts = ofKind('StatefulSet').map(({ spec }) => spec.replicas);
    expect(counts).toEqual(overlay === 'cluster' ? [3, 3, 3] : [1, 1, 1]);
  });
});

describe.skipIf(!hasKubectl())('a NATS server of the overlay cluster (needs kubectl)', () => {
  const manifests = hasKubectl() ? render('cluster') : [];
  const nats = manifests.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === 'nats');
  const [shell = '', ...args] = nats?.spec.template?.spec.initContainers?.[0]?.command ?? [];
  /** What the first container of its pod does with a volume that has these folders. */
  const startOn = (folders: readonly string[]) => {
    const volume = mkdtempSync(join(tmpdir(), 'mneme-test-'));
    onTestFinished(() => rmSync(volume, { recursive: true }));
    for (const folder of folders) mkdirSync(join(volume, folder), { recursive: true });
    const onVolume = args.map((arg) => arg.replaceAll('/data', volume));
    const { status, stderr } = spawnSync(shell, onVolume, { encoding: 'utf8' });
    return { status, stderr };
  };
  const streams = ['jetstream/$G/streams/MEMORY', 'jetstream/$G/streams/KV_api-keys'];

  it('starts on an empty volume, and on its own', () => {
    const started = { status: 0, stderr: '' };
    expect(startOn([])).toEqual(started);
    expect(startOn(['jetstream'])).toEqual(started);
    expect(startOn([...streams, 'jetstream/$SYS/_js_/_meta_'])).toEqual(started);
  });

  it('does not start on the volume of a single server, whose streams it would delete', () => {
    expect(startOn(streams)).toMatchObject({ status: 1, stderr: expect.stringContaining('docs/deploying.md') });
  });
});

interface Model {
  validate(): void;
}

/** Why a manifest is not valid by the schema of its kind; undefined when it is. */
async function faultOf(manifest: Manifest): Promise<string | undefined> {
  const { apiVersion, kind } = manifest;
  const schemas = `kubernetes-models/${apiVersion}`;
  const { [kind]: Model } = (await import(/* @vite-ignore */ schemas)) as Record<string, new (data: Manifest) => Model>;
  if (Model === undefined) return `${titleOf(manifest)}: no schema of ${apiVersion}`;
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return `${titleOf(manifest)}: ${(error as Error).message}`;
  }
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** What the restricted Pod Security Standard would refuse. */
function restrictedFaults({ spec }: PodTemplate): string[] {
  const pod = spec.securityContext ?? {};
  const volumes = (spec.volumes ?? []).flatMap((volume) => Object.keys(volume).filter((key) => key !== 'name'));
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  return [
    ...['hostNetwork', 'hostPID', 'hostIPC'].filter((key) => spec[key] === true),
    ...volumes.filter((type) => !allowedVolumes.includes(type)).map((type) => `volume ${type}`),
    ...(pod.runAsNonRoot === true && pod.runAsUser !== 0 ? [] : ['runAsNonRoot']),
    ...((pod.seccompProfile as { type?: string } | undefined)?.type === 'RuntimeDefault' ? [] : ['seccompProfile']),
    ...containers.flatMap(({ name, securityContext = {}, ports = [] }) => [
      ...(securityContext.allowPrivilegeEscalation === false ? [] : [`${name}: allowPrivilegeEscalation`]),
      ...(securityContext.readOnlyRootFilesystem === true ? [] : [`${name}: readOnlyRootFilesystem`]),
      ...(securityContext.privileged === true ? [`${name}: privileged`] : []),
      ...(JSON.stringify(securityContext.capabilities) === '{"drop":["ALL"]}' ? [] : [`${name}: capabilities`]),
      ...(ports.some((port) => 'hostPort' in port) ? [`${name}: hostPort`] : []),
    ]),
  ];
}

function probeFaults(container: Container): string[] {
  const ports = (container.ports ?? []).flatMap(({ name, containerPort }) => [name, containerPort]);
  return (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).flatMap((name) => {
    const probe = container[name];
    if (probe === undefined) return [`no ${name}`];
    const port = (probe.httpGet ?? probe.tcpSocket)?.port;
    return port === undefined || ports.includes(port) ? [] : [`${name} asks port ${port}`];
  });
}

/** References to variables that are defined later or not at all, which Kubernetes leaves as they are. */
function earlyUses(title: string, { env = [] }: Container): string[] {
  return env.flatMap(({ name, value = '' }, index) => {
    const before = env.slice(0, index).map((each) => each.name);
    const used = [...value.matchAll(/\$\((\w+)\)/g)].map(([, variable = '']) => variable);
    return used
      .filter((variable) => !before.includes(variable))
      .map((variable) => `${title}: ${name} uses ${variable}`);
  });
}

function requiredSecrets({ env = [] }: Container): string[] {
  return env.flatMap(({ valueFrom }) => {
    const { secretKeyRef } = (valueFrom ?? {}) as { secretKeyRef?: { key: string; optional?: boolean } };
    return secretKeyRef === undefined || secretKeyRef.optional ? [] : [secretKeyRef.key];
  });
}
