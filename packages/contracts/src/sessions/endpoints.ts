import { z } from 'zod';
import { endpointsOf } from '../endpoint.ts';

const endpoint = endpointsOf('gateway');

/** What the gateways do for the other parts of the system. */
export const gateway = {
  /** Makes a code that signs one browser in with a credential, once, within 10 minutes. */
  createSignInCode: endpoint('create-sign-in-code', { credential: z.string() }, z.object({ code: z.string() })),
} as const;

/** The path of the console with a sign-in code. Behind `#`, so that no server, proxy or log sees the code. */
export function signInPath(code: string): string {
  return `/sign-in#code=${code}`;
}
