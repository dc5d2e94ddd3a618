import { gateway, signInPath } from '@mneme/contracts';
import { runCommand } from './run-command.ts';
import { localUrl, withRunningSystem } from './running-system.ts';
import { makeToken, type TokenParameters } from './token-command.ts';

const timeoutMs = 10_000;

interface SignInParameters extends TokenParameters {
  /** Where browsers reach the system. */
  readonly url?: string;
}

/** Prints a link that signs one browser in as a user, once. */
export function signInCommand({ url, ...parameters }: SignInParameters): Promise<void> {
  return runCommand('There is no link.', async () => {
    const credential = await makeToken(parameters);
    const { MNEME_URL, PUBLIC_BASE_URL } = process.env;
    const known = url ?? (MNEME_URL || PUBLIC_BASE_URL || localUrl());
    const base = known || 'http://127.0.0.1:8080';
    if (!known) process.stderr.write('If browsers reach the system at another address, give it with --url.\n');
    return withRunningSystem(async ({ call }) => {
      const { code } = await call(gateway.createSignInCode, { credential }, timeoutMs);
      return base.replace(/\/+$/, '') + signInPath(code);
    });
  });
}
