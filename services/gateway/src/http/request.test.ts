import { connect } from 'node:net';
import express, { type Response } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { CallerGoneError } from '../errors.ts';
import { addressOf, RunningRequests } from './request.ts';
import { listen } from './server.ts';

const address = { host: '127.0.0.1', port: 0, requestTimeoutMs: 60_000, responseStallTimeoutMs: 60_000 };

/** The responses to requests whose connection has closed before they were answered, in order. */
async function abandoned(requests: number): Promise<Response[]> {
  const arrived: Response[] = [];
  const app = express().use((_request, response) => void arrived.push(response));
  const server = await listen(app, address);
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requests));
  await expect.poll(() => arrived.length).toBe(requests);
  socket.destroy();
  await expect.poll(() => arrived.every(({ req }) => req.socket.destroyed)).toBe(true);
  await expect.poll(() => arrived[0]?.closed).toBe(true);
  return arrived;
}

it('a request whose caller left before it began is aborted at once, a pipelined one too', async () => {
  const running = new RunningRequests();
  for (const response of await abandoned(2)) {
    expect(running.begin(response).reason).toBeInstanceOf(CallerGoneError);
  }
});

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:4711', '203.0.113.7'],
  ['203.0.113.7:', 'unknown'],
  ['203.0.113.777:4711', 'unknown'],
  ['[203.0.113.7:4711', 'unknown'],
  ['some-host:4711', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('a request from %s has the address %s', (ip, address) => {
  expect(addressOf({ ip })).toBe(address);
});
