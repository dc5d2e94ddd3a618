import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { markRoute } from '../http/request.ts';
import { serveAssets } from './assets.ts';

/** The path of scripts, styles and fonts, whose names contain their hash. */
const assetsPath = '/assets';
const nonceBytes = 16;

const unbuiltPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mneme</title>
  </head>
  <body>
    <h1>Mneme</h1>
    <p>The console has not been built. Run <code>node scripts/build-console.mjs</code> and start the gateway again.</p>
    <p>The <a href="/docs">documentation of the API</a> is there.</p>
  </body>
</html>
`;

/** Serves the console: its assets, and its page at `/`. Its other addresses follow by `bindConsolePages`. */
export function bindConsole(app: Express, files = findConsole()): ConsoleFiles | undefined {
  app.get('/', markRoute('/'), pageHandler(files));
  if (files) {
    const serve = serveAssets(join(files.folder, assetsPath), assetsPath);
    app.get(`${assetsPath}/*file`, markRoute(assetsPath), securePage, serve);
  }
  return files;
}

/** Answers what is no other route with the page, if a browser wants to show it: the console knows its own addresses. */
export function bindConsolePages(app: Express, files: ConsoleFiles | undefined): void {
  if (!files) return;
  const answer = pageHandler(files);
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (isPage(request)) answer(request, response, next);
    else next();
  });
}

/** Paths that belong to programs, where a mistake has to stay one. */
const reserved = /^\/(?:api|docs|mcp|assets|metrics|healthz|readyz|openapi\.json|\.[^/]*)(?:\/|$)/;

function isPage(request: Request): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return !reserved.test(request.path) && (request.get('accept') ?? '').includes('text/html');
}

function pageHandler(files: ConsoleFiles | undefined): RequestHandler {
  return (request, response) => {
    response.locals.route ??= '/';
    const nonce = randomBytes(nonceBytes).toString('base64');
    setPolicy(response, nonce);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Cache-Control', 'no-cache');
    response.end(request.method === 'HEAD' ? undefined : (files?.page(nonce) ?? unbuiltPage));
  };
}

const securePage: RequestHandler = (_request, response, next) => {
  setPolicy(response, undefined);
  next();
};

/** Nothing but files of this server; no script and no style in the page itself but with the nonce of this response. */
function setPolicy(response: Response, nonce: string | undefined): void {
  const directives = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ];
  response.setHeader('Content-Security-Policy', directives.join('; '));
  response.setHeader('Permissions-Policy', 'camera=(), geolocation=(), microphone=()');
}

/** What Vite has built in `packages/console`. */
export interface ConsoleFiles {
  /** The folder with the assets. */
  readonly folder: string;
  /** The page, with a nonce for the styles that its components make. */
  page(nonce: string): string;
}

/** Where the page has the nonce of a response. */
const noncePlace = '__CSP_NONCE__';

/** @returns undefined when the console has not been built */
export function findConsole(folder = builtFolder()): ConsoleFiles | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const parts = readFileSync(index, 'utf8').split(noncePlace);
  return { folder, page: (nonce) => parts.join(nonce) };
}

function builtFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('@mneme/console/package.json')), 'dist');
}
