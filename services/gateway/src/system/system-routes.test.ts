import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import {
  accessRoutes,
  memoryRoutes,
  systemRoutes,
  tableRoutes,
  webhookIntake,
  webhookRoutes,
  webhookStreams,
} from '@mneme/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { describe, expect, it } from 'vitest';
import { eventStreams } from '../event-logs.ts';
import { useGateway } from '../testing/gateway-fixture.ts';

const fixture = useGateway();
const { http } = fixture;

describe('health', () => {
  it('is up', async () => expect((await http('GET', '/healthz')).body).toEqual({ status: 'ok' }));

  it('is ready while all dependencies answer', async () => {
    const { status, body } = await http('GET', '/readyz');
    const services = { 'memory-ingest': 'ok', 'memory-query': 'ok', keys: 'ok', webhook: 'ok' };
    const checks = { nats: 'ok', 'event-log': 'ok', ...services };
    expect([status, body]).toEqual([200, { status: 'ready', checks }]);
  });

  it('names what does not answer', async () => {
    await fixture.services.stop('memory-ingest');
    const { status, body } = await http('GET', '/readyz');
    const own = await http('GET', '/readyz?own=true');
    await fixture.services.start('memory-ingest');
    expect([own.status, own.body.checks]).toEqual([200, { nats: 'ok', 'event-log': 'ok' }]);
    expect(status).toBe(503);
    expect(body.checks).toMatchObject({ nats: 'ok', 'memory-ingest': 'unavailable', 'memory-query': 'ok' });
  });

  it.each(eventStreams)('is not ready without the stream $name of the event log', async ({ name }) => {
    const { streams } = await jetstreamManager(fixture.connection);
    const { config } = await streams.info(name);
    await streams.delete(name);
    const { status, body } = await http('GET', '/readyz');
    await streams.add(config);
    expect([status, body.checks['event-log']]).toEqual([503, `The stream ${name} is missing`]);
  });
});

describe('metrics', () => {
  it('count requests by route and status, never by the path of a caller', async () => {
    await http('GET', '/api/operations/some-secret-agent');
    await http('GET', '/wp-admin/setup.php');
    const { status, headers, text } = await http('GET', '/metrics');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain('route="/api/operations/{agent_id}"');
    expect(text).toContain('route="unknown"');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toMatch(/secret-agent|wp-admin/);
  });
});

describe('the documentation', () => {
  it('is OpenAPI 3.1 with every route', async () => {
    const { status, body } = await http('GET', '/openapi.json');
    expect([status, body.openapi]).toEqual([200, '3.1.0']);
    const webhookArea = { ...webhookRoutes, ...tableRoutes, ...webhookIntake, ...webhookStreams };
    for (const { path, method } of Object.values({
      ...memoryRoutes,
      ...accessRoutes,
      ...webhookArea,
      ...systemRoutes,
    })) {
      expect(body.paths[path]?.[method], `${method} ${path}`).toBeDefined();
    }
  });

  it('is a page that loads nothing from other origins', async () => {
    const page = await http('GET', '/docs');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).not.toMatch(/https?:\/\//);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
    expect(parts).toHaveLength(4);
    for (const part of parts) {
      const reply = await http('GET', part ?? '');
      expect([part, reply.status]).toEqual([part, 200]);
      expect(reply.text.length).toBeGreaterThan(50);
    }
  });

  it.each([
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['favicon-32x32.png', 'image/png'],
  ])('may be cached: %s', async (asset, type) => {
    const { headers } = await http('GET', `/docs/${asset}`);
    expect(headers).toMatchObject({ 'content-type': type, 'cache-control': 'public, max-age=3600' });
    const length = headers['content-length'];
    expect(Number(length)).toBeGreaterThan(100);
    const head = await http('HEAD', `/docs/${asset}`);
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', length]);
    const since = { 'if-modified-since': String(headers['last-modified']) };
    expect(await http('GET', `/docs/${asset}`, { headers: since })).toMatchObject({ status: 304, text: '' });
  });

  it.runIf(process.platform === 'linux')('leaves no file open when a connection closes before it is sent', async () => {
    const openFiles = () =>
      readdirSync('/proc/self/fd').flatMap((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).includes('swagger-ui') ? [fd] : [];
        } catch {
          return [];
        }
      });
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
    socket.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50));
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.destroy();
    await http('GET', '/healthz');
    await expect.poll(openFiles).toEqual([]);
  });

  it('has no inline script, which its content security policy would refuse', async () => {
    const { text, headers } = await http('GET', '/docs');
    expect(text).not.toMatch(/<script>|onload=/);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });
});
