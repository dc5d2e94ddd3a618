import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';

const program = `
import { readdirSync } from 'node:fs';
import { listen } from ${JSON.stringify(import.meta.resolve('./server.ts'))};
let refused = 0;
const server = await listen((request, response) => response.end(JSON.stringify({ refused, open: readdirSync('/proc/self/fd').length })), {
  host: '127.0.0.1',
  port: 0,
  requestTimeoutMs: 10_000,
  responseStallTimeoutMs: 10_000,
  onRefusedConnection: () => (refused += 1),
});
console.log(server.port);
`;

it.skipIf(process.platform !== 'linux')(
  'takes two thirds of the file descriptors for connections at most',
  async () => {
    const shell = ['-c', 'ulimit -n 150 && exec "$0" "$@"', process.execPath, '--input-type=module', '--eval', program];
    const child = spawn('sh', shell, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [port] = await once(createInterface(child.stdout), 'line');
    const caller = connect(Number(port), '127.0.0.1');
    await once(caller, 'connect');
    const others = Array.from({ length: 140 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}));
    onTestFinished(() => {
      for (const socket of [caller, ...others]) socket.destroy();
    });
    await expect.poll(() => others.filter(({ readyState }) => readyState !== 'open').length).toBe(41);
    caller.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let answer = '';
    for await (const piece of caller) answer += piece;
    const { refused, open } = JSON.parse(answer.slice(answer.indexOf('{'))) as { refused: number; open: number };
    expect(refused).toBe(41);
    expect(open).toBeLessThan(150);
  },
);
