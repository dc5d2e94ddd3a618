import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { CallerGoneError } from '../../errors.ts';
import { HeldBodies } from './held-bodies.ts';
import { receiveBody } from './receive-body.ts';

it('a body whose caller has already gone is not waited for', async () => {
  const request = Object.assign(new PassThrough(), { headers: {} });
  const response = new PassThrough() as unknown as ServerResponse;
  request.destroy();
  await new Promise((resolve) => request.once('close', resolve));
  const limits = { maxBytes: 10, heldBodies: new HeldBodies(), owner: 'public' };
  await expect(receiveBody(request as unknown as IncomingMessage, response, limits)).rejects.toThrow(CallerGoneError);
});
