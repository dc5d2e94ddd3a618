import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { CallerGoneError } from '../../errors.ts';
import { receiveBody } from './receive-body.ts';

it('a body whose caller has already gone is not waited for', async () => {
  const request = Object.assign(new PassThrough(), { headers: {} });
  request.destroy();
  await new Promise((resolve) => request.once('close', resolve));
  await expect(receiveBody(request as unknown as IncomingMessage, 10)).rejects.toThrow(CallerGoneError);
});
