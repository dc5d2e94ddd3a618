import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it. Times are in milliseconds since 1970. */
export interface ReceivedSpan {
  readonly service: string;
  /** The name of its tracer. */
  readonly by: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly from: number;
  readonly to: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly at: number }[];
  /** Ids of the traces that it links to. */
  readonly links: readonly string[];
}

export interface TraceReceiver {
  /** Settings that make services send their traces here, soon. */
  readonly settings: Readonly<Record<string, string>>;
  spans(): readonly ReceivedSpan[];
  close(): Promise<void>;
}

/** Receives traces as OTLP over HTTP, as a collector does. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const received: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === '/v1/traces') received.push(...spansOf(await bodyOf(request)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    spans: () => received,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<ExportRequest> {
  return JSON.parse(Buffer.concat(await request.toArray()).toString('utf8')) as ExportRequest;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly timeUnixNano: string }[];
  readonly links?: readonly { readonly traceId: string }[];
}

/** The part of `ExportTraceServiceRequest` that is used, in the JSON encoding of OTLP. */
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly ExportedSpan[];
    }[];
  }[];
}

function spansOf({ resourceSpans }: ExportRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ scope, spans }) => spans.map((span) => spanOf(span, service, scope.name)));
  });
}

function spanOf(span: ExportedSpan, service: string, by: string): ReceivedSpan {
  const { name, traceId, spanId, parentSpanId, attributes = [], events = [], links = [] } = span;
  return {
    service,
    by,
    name,
    traceId,
    spanId,
    parentId: parentSpanId || undefined,
    from: millisecondsOf(span.startTimeUnixNano),
    to: millisecondsOf(span.endTimeUnixNano),
    attributes: attributesOf(attributes),
    events: events.map(({ name: event, timeUnixNano }) => ({ name: event, at: millisecondsOf(timeUnixNano) })),
    links: links.map((link) => link.traceId),
  };
}

function attributesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

function millisecondsOf(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1_000n) / 1_000;
}
