import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const folder = join(import.meta.dirname, '../../deploy/kubernetes');

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string; readonly valueFrom?: object }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources?: { readonly requests?: Record<string, string>; readonly limits?: Record<string, string> };
  readonly securityContext?: Record<string, unknown>;
  readonly [probe: `${string}Probe`]:
    | Record<string, { readonly port?: number | string; readonly path?: string; readonly httpHeaders?: object[] }>
    | undefined;
}

export interface PodTemplate {
  readonly metadata: { readonly labels: Record<string, string> };
  readonly spec: Record<string, unknown> & {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly volumes?: readonly Record<string, unknown>[];
    readonly securityContext?: Record<string, unknown>;
    readonly terminationGracePeriodSeconds: number;
  };
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Record<string, string>;
  readonly spec: Record<string, unknown> & { readonly template?: PodTemplate; readonly replicas?: number };
}

/** What `kubectl apply -k` of an overlay would send. */
export function render(overlay: string): Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', join(folder, 'overlays', overlay)], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

/** Whether the command that renders is installed. */
export function hasKubectl(): boolean {
  try {
    execFileSync('kubectl', ['kustomize', '--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A manifest for a reader of test results, such as `Deployment gateway`. */
export function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}
