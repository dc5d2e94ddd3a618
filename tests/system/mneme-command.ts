import { startNode } from './node-process.ts';
import type { System } from './start-system.ts';

export interface CommandResult {
  readonly code: number | null;
  /** What it has printed, on both streams. */
  readonly output: string;
}

/** Runs `mneme` for a running system, until it ends. */
export function mneme({ stack }: Pick<System, 'stack'>, ...parameters: string[]): Promise<CommandResult> {
  return runMneme({ NATS_URL: stack.natsUrl }, ...parameters);
}

export async function runMneme(
  environment: Readonly<Record<string, string>>,
  ...parameters: string[]
): Promise<CommandResult> {
  const started = startNode({ entry: 'packages/cli/src/main.ts', parameters, environment });
  const { code } = await started.exited;
  return { code, output: started.output() };
}
