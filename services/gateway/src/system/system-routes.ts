import { systemRoutes } from '@mneme/contracts';
import type { Metrics, Readiness } from '@mneme/service-kit';
import type { Express } from 'express';
import { JsonText, jsonAnswer, send } from '../http/answers.ts';
import { markRoute } from '../http/request.ts';

export interface SystemDeps {
  readonly metrics: Metrics;
  readonly ready: (options: { readonly isOwn: boolean }) => Promise<Readiness>;
  /** The OpenAPI document, as JSON text. */
  readonly openApi: () => Promise<string>;
}

/** Where Prometheus reads the metrics; not in the OpenAPI document, because it answers with text. */
export const metricsPath = '/metrics';

/** Health, readiness, metrics and the OpenAPI document, for operators and tools. */
export function bindSystemRoutes(app: Express, deps: SystemDeps): void {
  const { healthz, readyz, openapi } = systemRoutes;
  app.get(healthz.path, markRoute(healthz.path), (_request, response) => send(response, jsonAnswer({ status: 'ok' })));
  app.get(openapi.path, markRoute(openapi.path), async (_request, response) => {
    send(response, jsonAnswer(new JsonText(await deps.openApi())));
  });
  app.get(readyz.path, markRoute(readyz.path), async (request, response) => {
    const { isReady, ...found } = await deps.ready({ isOwn: request.query.own === 'true' });
    const body = { status: isReady ? 'ready' : 'unavailable', ...found };
    send(response, isReady ? jsonAnswer(body) : jsonAnswer(body, { 'Retry-After': '2' }, 503));
  });
  app.get(metricsPath, markRoute(metricsPath), async (_request, response) => {
    response.type(deps.metrics.contentType).send(await deps.metrics.text());
  });
}
