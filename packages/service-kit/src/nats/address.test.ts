import { expect, it } from 'vitest';
import { natsAddress } from './address.ts';

it.each([
  ['nats://127.0.0.1:4222', { servers: ['nats://127.0.0.1:4222'] }],
  ['a:4222, tls://b', { servers: ['a:4222', 'tls://b'] }],
  ['nats://me:secret@a:4222', { servers: ['nats://a:4222'], user: 'me', pass: 'secret' }],
  ['nats://me:se%40c%2Cret@a', { servers: ['nats://a'], user: 'me', pass: 'se@c,ret' }],
  ['nats://me:100%@a', { servers: ['nats://a'], user: 'me', pass: '100%' }],
  ['me:secret@a:4222', { servers: ['a:4222'], user: 'me', pass: 'secret' }],
  ['nats://s3cr3t@a:4222', { servers: ['nats://a:4222'], token: 's3cr3t' }],
  ['nats://me:secret@a, nats://b', { servers: ['nats://a', 'nats://b'], user: 'me', pass: 'secret' }],
])('takes %s apart', (url, expected) => {
  expect(natsAddress(url)).toEqual(expected);
});
