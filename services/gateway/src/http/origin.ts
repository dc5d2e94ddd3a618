import type { Request } from 'express';

/**
 * Where the caller reached the gateway, as `https://mneme.example`. Express looks at forwarded headers only when they come
 * from a trusted proxy. Of what stands in the headers, no more than a scheme, a host and a port come through.
 */
export function originOf(request: Request): string {
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  const local = `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  if (!request.host) return local;
  const url = URL.parse(`${request.protocol === 'https' ? 'https' : 'http'}://${request.host}`);
  return url?.origin ?? local;
}
