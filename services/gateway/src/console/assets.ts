import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';

/** Compressed forms that the build writes beside an asset, the smallest first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;
/** Names contain the hash of the content, so what a name stands for never changes. */
const caching = 'public,max-age=31536000,immutable';

interface Asset {
  /** The extension of its name, which says its media type. */
  readonly type: string;
  /** As in the header `Last-Modified`. */
  readonly lastModified: string;
  readonly plain: Buffer;
  readonly compressed: readonly { readonly encoding: string; readonly body: Buffer }[];
}

/**
 * Serves the files of a folder below a path such as `/assets`; what is not there goes to the next handler. All files are
 * read now, so that requests open none: callers that read nothing, or go away, would keep them open. `Range` is ignored.
 */
export function serveAssets(folder: string, below: string): RequestHandler {
  const assets = new Map(assetNames(folder).map((name) => [`${below}/${name}`, readAsset(join(folder, name))]));
  return (request, response, next) => {
    const asset = assets.get(request.path);
    if (asset) send(asset, request, response);
    else next();
  };
}

function send({ type, lastModified, plain, compressed }: Asset, request: Request, response: Response): void {
  const chosen = compressed.find(({ encoding }) => request.acceptsEncodings(encoding));
  if (chosen) response.setHeader('Content-Encoding', chosen.encoding);
  response.vary('Accept-Encoding').type(type).set({ 'Cache-Control': caching, 'Last-Modified': lastModified });
  response.send(chosen?.body ?? plain);
}

function assetNames(folder: string): string[] {
  return readdirSync(folder).filter((name) => !encodings.some(({ extension }) => name.endsWith(extension)));
}

function readAsset(path: string): Asset {
  return {
    type: extname(path),
    lastModified: statSync(path).mtime.toUTCString(),
    plain: readFileSync(path),
    compressed: encodings
      .filter(({ extension }) => existsSync(path + extension))
      .map(({ name, extension }) => ({ encoding: name, body: readFileSync(path + extension) })),
  };
}
