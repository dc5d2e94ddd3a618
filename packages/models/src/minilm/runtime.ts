import { describeMachine, type Machine } from '@mneme/downloads';
import { ModelError } from '../model-error.ts';
import { modelTitle } from './pinned-model.ts';

/** What onnxruntime-node 1.21 contains builds for. */
const builds = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

/** @throws ModelError `unavailable` when the runtime of the model has no build for the machine */
export function checkRuntime(machine: Machine): void {
  const name = describeMachine(machine);
  if (builds.includes(name)) return;
  throw new ModelError(
    'unavailable',
    `The ${modelTitle} is not available: its runtime onnxruntime-node has no build for ${name}. ` +
      'Set EMBEDDING_MODEL to another model, or use `docker compose up`.',
  );
}
