/** What came back: the body parsed when it is JSON, otherwise its text. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export type HeaderFields = Readonly<Record<string, string>>;
// biome-ignore lint/suspicious/noExplicitAny: a test that names no type looks at the body field by field.
type AnyBody = any;

/** Speaks HTTP to the system under test; paths start with a slash. */
export interface HttpClient {
  readonly url: string;
  get<Body = AnyBody>(path: string, headers?: HeaderFields): Promise<Answer<Body>>;
  post<Body = AnyBody>(path: string, body: unknown, headers?: HeaderFields): Promise<Answer<Body>>;
  put<Body = AnyBody>(path: string, body: unknown, headers?: HeaderFields): Promise<Answer<Body>>;
  patch<Body = AnyBody>(path: string, body: unknown, headers?: HeaderFields): Promise<Answer<Body>>;
  delete<Body = AnyBody>(path: string, headers?: HeaderFields): Promise<Answer<Body>>;
  /** Sends the bytes as they are; nothing is added. */
  send<Body = AnyBody>(path: string, request: RequestInit): Promise<Answer<Body>>;
  /** The same with further headers at each call; those given with a call count more. */
  with(headers: HeaderFields): HttpClient;
  /** The same with a token or a key at each call. */
  as(credential: string): HttpClient;
}

const json = { 'content-type': 'application/json' };

/** @param own headers of every call, but of those by `send` */
export function createHttpClient(url: string, own: HeaderFields = {}): HttpClient {
  const send = <Body>(path: string, request: RequestInit) => exchange<Body>(`${url}${path}`, request);
  const write = (method: string) => {
    return <Body>(path: string, body: unknown, headers: HeaderFields = {}) =>
      send<Body>(path, { method, headers: { ...json, ...own, ...headers }, body: JSON.stringify(body) });
  };
  const withHeaders = (headers: HeaderFields) => createHttpClient(url, { ...own, ...headers });
  return {
    url,
    send,
    get: (path, headers = {}) => send(path, { headers: { ...own, ...headers } }),
    delete: (path, headers = {}) => send(path, { method: 'DELETE', headers: { ...own, ...headers } }),
    post: write('POST'),
    put: write('PUT'),
    patch: write('PATCH'),
    with: withHeaders,
    as: (credential) => withHeaders({ authorization: `Bearer ${credential}` }),
  };
}

async function exchange<Body>(url: string, request: RequestInit): Promise<Answer<Body>> {
  const response = await fetch(url, { redirect: 'manual', ...request });
  const text = await response.text();
  const isJson = /^application\/([\w.+-]+\+)?json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
