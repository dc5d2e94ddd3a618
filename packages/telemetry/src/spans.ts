import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { contextOf, spanContextOf } from './traceparent.ts';

export interface SpanOptions {
  /** The service or package that does the work; the name of the tracer. */
  readonly by: string;
  readonly kind?: keyof typeof SpanKind;
  /** Names, numbers and ids only: no text of users, no credential. */
  readonly attributes?: Attributes;
  /** The trace that it continues, as it came with a message; `null` for none. The current one unless given. */
  readonly parent?: string | null;
  /** Whether it begins a trace where there is none to continue; otherwise it is not shown then. */
  readonly begins?: boolean;
  /** A trace that it has to do with and does not belong to. */
  readonly link?: string | undefined;
}

/**
 * Does work within a span of a trace. What the work appends, requests and calls belongs to it. Without tracing the work is
 * done and nothing else. Errors are named in the span without their messages, which may contain text of users.
 */
export function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  const parent = parentOf(options);
  if (!options.begins && !trace.getSpanContext(parent)) return work(noSpan);
  const { kind = 'INTERNAL', attributes, link } = options;
  const linked = link === undefined ? undefined : spanContextOf(link);
  const settings = {
    kind: SpanKind[kind],
    ...(attributes && { attributes }),
    ...(linked && { links: [{ context: linked }] }),
  };
  const span = trace.getTracer(options.by).startSpan(name, settings, parent);
  return context.with(trace.setSpan(parent, span), () => during(span, work));
}

const noSpan = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

function parentOf({ parent }: SpanOptions): Context {
  return parent === undefined ? context.active() : contextOf(parent ?? undefined);
}

async function during<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span);
  } catch (error) {
    markFailed(span, error instanceof Error ? error.name : 'Error');
    throw error;
  } finally {
    span.end();
  }
}

/** @param reason the name of an error, or a code; no message, since that may contain text of users */
export function markFailed(span: Span, reason: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
}

/** Work that is over, and that several traces share. */
export interface PastSpan extends Pick<SpanOptions, 'by' | 'attributes'> {
  readonly parent: string;
  readonly kind: keyof typeof SpanKind;
  /** In milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** Writes down work that is over. Does nothing for a trace that is not recorded. */
export function pastSpan(name: string, { by, kind, attributes, parent, from, to }: PastSpan): void {
  const options = { kind: SpanKind[kind], startTime: from, ...(attributes && { attributes }) };
  trace.getTracer(by).startSpan(name, options, contextOf(parent)).end(to);
}
