import { sessionRoutes, systemRoutes, WireError, webhookIntake } from '@mneme/contracts';
import cors from 'cors';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import { bindConsole, bindConsolePages } from './console/bind-console.ts';
import { notFound } from './errors.ts';
import { handleErrors } from './http/answers.ts';
import { refuseForeignHosts, requireOneHost } from './http/hosts.ts';
import { refuseForeignPages } from './http/origins.ts';
import { assignRequestId, observe, readQueryString, type Trusts, withoutPort } from './http/request.ts';
import { traceRequests } from './http/trace-requests.ts';
import { bindMcp, type McpDeps, mcpPaths } from './mcp/bind-mcp.ts';
import { type BindingDeps, bindArea, expressPath } from './routing/bind-routes.ts';
import { bindStreams, type StreamArea, type StreamDeps } from './routing/bind-streams.ts';
import type { Area } from './routing/http-endpoint.ts';
import { bindIdentityProvider, type ProviderRouteDeps, providerPaths } from './sign-in/provider-routes.ts';
import { bindSessions, type SessionRouteDeps } from './sign-in/session-routes.ts';
import { bindDocsPage, docsPaths } from './system/docs-page.ts';
import { bindSystemRoutes, metricsPath, type SystemDeps } from './system/system-routes.ts';
import { bindIntake, type IntakeDeps } from './webhooks/intake/bind-intake.ts';

export interface AppDeps
  extends BindingDeps,
    StreamDeps,
    SystemDeps,
    McpDeps,
    ProviderRouteDeps,
    Omit<SessionRouteDeps, 'hasIdentityProvider'> {
  readonly areas: readonly Area[];
  readonly streams: StreamArea;
  readonly intake: IntakeDeps;
  readonly trustedProxies: readonly string[];
  /** The hosts that requests without credentials may be sent to; undefined: any. */
  readonly openHosts: readonly string[] | undefined;
}

/** Builds the HTTP application; `listen` serves it. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  configure(app, deps);
  app.use(assignRequestId, traceRequests, observe(deps.logger, deps.metrics), secureHeaders(), noStore, requireOneHost);
  if (deps.corsOrigins.length > 0) app.use(crossOrigin(deps.corsOrigins));
  // Before the checks that follow: the token in the path of a webhook is its credential, and its query string is not read.
  bindIntake(app, deps.intake);
  app.use(readQueryString);
  if (deps.openHosts) app.use(refuseForeignHosts(deps.openHosts));
  bindSystemRoutes(app, deps);
  bindDocsPage(app);
  const console = bindConsole(app);
  bindSessions(app, { ...deps, hasIdentityProvider: deps.identityProvider !== undefined });
  bindIdentityProvider(app, deps);
  // After the routes to which an identity provider sends browsers, and those of sessions, which admit own pages only.
  if (deps.openHosts) app.use(refuseForeignPages(deps.corsOrigins));
  for (const area of deps.areas) bindArea(app, area, deps);
  bindStreams(app, deps.streams, deps);
  bindMcp(app, deps);
  bindConsolePages(app, console);
  refuseUnmatched(app, knownRoutes(deps));
  app.use(handleErrors(deps.logger));
  return app;
}

function configure(app: Express, deps: AppDeps): void {
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('case sensitive routing', true);
  // `readQueryString` replaces it.
  app.set('query parser', false);
  trustProxies(app, deps.trustedProxies);
}

/** Express compiles the addresses and networks, but knows no address that a proxy has written with a port. */
function trustProxies(app: Express, proxies: readonly string[]): void {
  app.set('trust proxy', [...proxies]);
  const trusts: Trusts = app.get('trust proxy fn');
  app.set('trust proxy', ((address, hop) => trusts(withoutPort(address), hop)) satisfies Trusts);
}

/** The documentation page needs inline styles and `data:` images; nothing is loaded from other origins. */
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

/** The headers of answers that pages of other origins may read. */
const readableHeaders = [
  'X-Request-Id',
  'X-Event-Position',
  'X-As-Of-Position',
  'Idempotency-Replayed',
  'Location',
  'Mneme-Ignored-Fields',
  'Retry-After',
  'RateLimit-Policy',
  'RateLimit',
  'WWW-Authenticate',
];

function crossOrigin(origins: readonly string[]): RequestHandler {
  const answer = cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: readableHeaders,
    maxAge: 600,
  });
  return (request, response, next) => {
    // An OPTIONS request that is no preflight asks for the allowed methods.
    const isPlainOptions = request.method === 'OPTIONS' && !request.headers['access-control-request-method'];
    return isPlainOptions ? next() : answer(request, response, next);
  };
}

interface KnownRoute {
  readonly method: string;
  readonly path: string;
}

function knownRoutes({ areas, streams, identityProvider }: AppDeps): KnownRoute[] {
  const pages = ['/', metricsPath, ...docsPaths, ...(identityProvider ? providerPaths : [])].map((path) => ({
    method: 'get',
    path,
  }));
  const mcp = mcpPaths.map((path) => ({ method: 'post', path }));
  const routes = [...areas, streams].flatMap(({ bindings }) => bindings.map(({ route }) => route));
  return [...routes, ...Object.values({ ...systemRoutes, ...sessionRoutes, ...webhookIntake }), ...pages, ...mcp];
}

/** Answers other methods of known paths with 405, and everything else with 404. Has to follow all routes. */
function refuseUnmatched(app: Express, routes: readonly KnownRoute[]): void {
  for (const [path, methods] of methodsByPath(routes)) {
    const allow = [...methods].join(', ');
    app.all(path, (request: Request, response: Response) => {
      response.setHeader('Allow', allow);
      if (request.method === 'OPTIONS') {
        response.status(204).end();
        return;
      }
      const message = `${request.method} is not possible here; use ${allow}`;
      throw new WireError({ status: 405, code: 'METHOD_NOT_ALLOWED', message });
    });
  }
  app.use(() => {
    throw notFound('There is nothing at this path');
  });
}

/** Two routes may have different names for the same parameter. */
function methodsByPath(routes: readonly KnownRoute[]): Map<string, Set<string>> {
  const byPath = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const nameless = expressPath(path.replace(/\{\w+\}/g, '{any}')).replace(/:any/g, () => ':any');
    const methods = byPath.get(nameless) ?? new Set<string>();
    methods.add(method.toUpperCase());
    if (method === 'get') methods.add('HEAD');
    methods.add('OPTIONS');
    byPath.set(nameless, methods);
  }
  return byPath;
}
