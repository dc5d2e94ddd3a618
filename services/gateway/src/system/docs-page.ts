import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Express, Response } from 'express';
import { markRoute } from '../http/request.ts';

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** The files of the package that the page uses. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
/** The assets change only with a release. */
const assetCaching = 'public, max-age=3600';

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mneme API</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

// A file of its own, because the content security policy allows no inline script.
const startScript = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** The paths of the page, for the list of allowed methods. */
export const docsPaths = ['/docs', '/docs/start.js', ...assets.map((asset) => `/docs/${asset}`)];

/**
 * Serves a page to read and try the OpenAPI document, without loading anything from other origins. The assets are read now,
 * so that requests open no files: those of pipelined requests would stay open when the connection closes. `Range` is ignored.
 */
export function bindDocsPage(app: Express): void {
  app.get('/docs', markRoute('/docs'), (_request, response) => sendText(response, 'text/html', page));
  app.get('/docs/start.js', markRoute('/docs'), (_request, response) => {
    sendText(response, 'text/javascript', startScript);
  });
  for (const asset of assets) {
    const path = join(folder, asset);
    const content = readFileSync(path);
    const headers = { 'Cache-Control': assetCaching, 'Last-Modified': statSync(path).mtime.toUTCString() };
    app.get(`/docs/${asset}`, markRoute('/docs'), (_request, response) => {
      response.type(extname(asset)).set(headers).send(content);
    });
  }
}

function sendText(response: Response, type: string, text: string): void {
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.end(text);
}
