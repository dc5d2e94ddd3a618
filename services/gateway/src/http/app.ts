import { systemRoutes, webhookIntake } from '@mneme/contracts';
import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { bindSystemEndpoints, metricsPath, type SystemDeps } from '../health/system-routes.ts';
import { bindDocsPage, docsPaths } from '../routes/docs-page.ts';
import { bindIntake, type IntakeDeps } from '../webhooks/intake/bind-intake.ts';
import { type BindingDeps, bindArea } from './bind-routes.ts';
import { bindStreams, type StreamArea } from './bind-streams.ts';
import type { Area } from './endpoints.ts';
import { handleErrors } from './error-handler.ts';
import { refuseForeignHosts, requireOneHost } from './hosts.ts';
import { observe } from './observe.ts';
import { readQueryString } from './query-string.ts';
import { assignRequestId } from './request.ts';
import { StreamCounts } from './stream-counts.ts';
import { refuseUnmatched } from './unmatched.ts';

export interface AppDeps extends BindingDeps, SystemDeps {
  readonly areas: readonly Area[];
  readonly streams: StreamArea;
  readonly intake: IntakeDeps;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  /** Where requests may be sent to that show no credential; undefined: anywhere. */
  readonly openHosts: readonly string[] | undefined;
}

/** Builds the HTTP application. It never listens; `listen` does. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  configure(app, deps);
  app.use(
    assignRequestId,
    observe(deps.logger, deps.metrics),
    secureHeaders(),
    noStore,
    requireOneHost,
    readQueryString,
  );
  if (deps.corsOrigins.length > 0) app.use(crossOrigin(deps.corsOrigins));
  // Before the next check: the token in the path of a webhook is its credential.
  bindIntake(app, deps.intake);
  if (deps.openHosts) app.use(refuseForeignHosts(deps.openHosts));
  bindSystemEndpoints(app, deps);
  bindDocsPage(app);
  for (const area of deps.areas) bindArea(app, area, deps);
  bindStreams(app, deps.streams, { ...deps, streamCounts: new StreamCounts() });
  refuseUnmatched(app, endpointsOf(deps));
  app.use(handleErrors(deps.logger));
  return app;
}

function configure(app: Express, deps: AppDeps): void {
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('case sensitive routing', true);
  // `readQueryString` does it.
  app.set('query parser', false);
  app.set('trust proxy', deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false);
}

/** The documentation page needs styles within elements and images within styles; nothing comes from outside. */
function secureHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
  });
}

const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

/** Headers of answers that a browser lets a page of another origin read. */
const readableHeaders = [
  ...['X-Request-Id', 'X-Event-Position', 'Idempotency-Replayed', 'Retry-After'],
  ...['RateLimit-Policy', 'RateLimit', 'WWW-Authenticate'],
];

function crossOrigin(origins: readonly string[]): RequestHandler {
  const answer = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: readableHeaders,
    maxAge: 600,
  });
  return (request, response, next) => {
    // Any other OPTIONS asks for the allowed methods.
    const isPlainOptions = request.method === 'OPTIONS' && !request.headers['access-control-request-method'];
    return isPlainOptions ? next() : answer(request, response, next);
  };
}

function endpointsOf({ areas, streams }: AppDeps): { method: string; path: string }[] {
  const others = [metricsPath, ...docsPaths].map((path) => ({ method: 'get', path }));
  const routes = [...areas, streams].flatMap(({ bindings }) => bindings.map(({ route }) => route));
  return [...routes, ...Object.values({ ...systemRoutes, ...webhookIntake }), ...others];
}
