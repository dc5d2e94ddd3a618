import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.ts';
import type { ModelFault, ModelFaultKind } from './model-reply.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly message: string;
  readonly code?: string;
}

const errors: Partial<Record<ModelFaultKind, ErrorAnswer>> = {
  'rate-limit': { status: 429, message: 'Rate limit reached for requests.', code: 'rate_limit_exceeded' },
  quota: {
    status: 429,
    message: 'You exceeded your current quota, please check your plan.',
    code: 'insufficient_quota',
  },
  'server-error': { status: 500, message: 'The server had an error while processing your request.' },
  unauthorized: {
    status: 401,
    message: 'Incorrect API key provided: sk-test-0123456789abcdef.',
    code: 'invalid_api_key',
  },
  'bad-request': { status: 400, message: 'The request cannot be served.' },
  'not-found': {
    status: 404,
    message: 'The model does not exist or you have no access to it.',
    code: 'model_not_found',
  },
};

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  if ('fault' in answer) sendFault(response, answer);
  else sendJson(response, 200, answer.body);
}

export function sendError(response: ServerResponse, status: number, message: string, code?: string): void {
  sendJson(response, status, { error: { message, type: 'stand_in_error', param: null, code: code ?? null } });
}

/** Fails in the way of real servers. */
function sendFault(response: ServerResponse, fault: ModelFault): void {
  switch (fault.fault) {
    case 'stall':
      break;
    case 'disconnect':
      response.socket?.destroy();
      break;
    case 'stall-body':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id": "chatcmpl-');
      break;
    case 'broken-json':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"results": [{"index": 0, "relev');
      break;
    case 'not-json':
      response.writeHead(fault.status ?? 200, { 'content-type': 'text/html' });
      response.end('<html><body>Welcome</body></html>');
      break;
    default:
      sendErrorFault(response, fault);
  }
}

function sendErrorFault(response: ServerResponse, { fault, status, message, retryAfter }: ModelFault): void {
  const usual = errors[fault] ?? { status: 500, message: 'Unknown fault' };
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  sendError(response, status ?? usual.status, message ?? usual.message, usual.code);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
