import { startNode } from './node-process.ts';
import type { System } from './start-system.ts';

/** What `mneme` prints when it has ended, asked about a running system. */
export async function mneme({ stack }: Pick<System, 'stack'>, ...parameters: string[]): Promise<string> {
  const environment = { NATS_URL: stack.natsUrl };
  const started = startNode({ entry: 'packages/cli/src/main.ts', parameters, environment });
  await started.exited;
  return started.output();
}
