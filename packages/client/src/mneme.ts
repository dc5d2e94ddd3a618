import { type Agent, createAgent } from './agent.ts';
import { type Connection, createConnection } from './http/connection.ts';
import { type ReadOptions, refuseUnknown } from './http/request.ts';
import { type Agents, agentsOf } from './resources/agents.ts';
import { type Keys, keysOf } from './resources/keys.ts';
import { type BrowserSession, sessionOf } from './resources/session.ts';
import { type Projects, projectsOf, type Spaces, spacesOf } from './resources/spaces.ts';
import { type System, systemOf } from './resources/system.ts';
import { type Tables, tablesOf } from './resources/tables.ts';
import { type Webhooks, webhooksOf } from './resources/webhooks.ts';
import type { Caller, Me, Memory } from './schemas.ts';

export interface MnemeOptions {
  /** Address of the server, such as `https://memory.example.com`. Default: that of a local start, `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined;
  /** An API key (`sk-...`) or the token of a user; a function is called for each try, so that it can renew a token. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** For pages of the server itself: acts for the browser's session, whose cookie no script sees, instead of an `apiKey`. */
  readonly useSession?: boolean | undefined;
  /** For users: the space to work in. Default: their personal space. */
  readonly spaceId?: string | number | undefined;
  /** How often a request is repeated that fails for a passing reason. Default: 5. */
  readonly retries?: number | undefined;
  /** How long one try may take, in milliseconds. Default: 130 000, longer than a server takes to refuse. */
  readonly timeoutMs?: number | undefined;
  /** Used instead of the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

const defaultBaseUrl = 'http://127.0.0.1:8080';
const defaultRetries = 5;
const defaultTimeoutMs = 130_000;
/** The longest delay of a timer. */
const maxTimeoutMs = 2 ** 31 - 1;

/** A client of one server. It remembers what it has written: its reads wait until they see its writes. */
export class Mneme {
  readonly #connection: Connection;
  readonly agents: Agents;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  readonly tables: Tables;
  readonly spaces: Spaces;
  readonly projects: Projects;
  /** Of pages of the server itself, with `useSession`. */
  readonly session: BrowserSession;
  /** For operators. */
  readonly system: System;

  /** @throws MnemeError for an option that does not exist, and TypeError when one is not valid */
  constructor(options: MnemeOptions = {}) {
    const { baseUrl = defaultBaseUrl, apiKey, spaceId, useSession = false, ...others } = options;
    const { retries = defaultRetries, timeoutMs = defaultTimeoutMs, fetch: own, ...unknown } = others;
    refuseUnknown('option', unknown);
    assertInteger('retries', retries, 0, 100);
    assertInteger('timeoutMs', timeoutMs, 1, maxTimeoutMs);
    this.#connection = createConnection({
      baseUrl: baseUrlOf(baseUrl),
      apiKey,
      useSession,
      spaceId: spaceId === undefined ? undefined : String(spaceId),
      retries,
      timeoutMs,
      fetch: own ?? ((input, init) => fetch(input, init)),
    });
    this.agents = agentsOf(this.#connection);
    this.keys = keysOf(this.#connection);
    this.webhooks = webhooksOf(this.#connection);
    this.tables = tablesOf(this.#connection);
    this.spaces = spacesOf(this.#connection);
    this.projects = projectsOf(this.#connection);
    this.session = sessionOf(this.#connection);
    this.system = systemOf(this.#connection);
  }

  /**
   * An agent by its name; nothing is sent.
   *
   * @throws MnemeError when the name is not a text, or empty
   */
  agent(id: string): Agent {
    return createAgent(this.#connection, id);
  }

  /** One memory of any agent of the space, and where it comes from. */
  memory(id: string, options: ReadOptions = {}): Promise<Memory> {
    return this.#connection.call('get', '/api/memory/{unit_id}', { path: { unit_id: id } }, options);
  }

  /** The user whose token this is, with spaces and projects. */
  me(options: ReadOptions = {}): Promise<Me> {
    return this.#connection.call('get', '/api/v3/me', {}, options);
  }

  /** Whom the credential of this client belongs to, and what it may do. */
  caller(options: ReadOptions = {}): Promise<Caller> {
    return this.#connection.call('get', '/api/v3/caller', {}, options);
  }

  /** The position of this client's last write to memory, `MEMORY:<sequence>`: another client may read `after` it. */
  get position(): string | undefined {
    return this.#connection.positions.of('MEMORY');
  }
}

function assertInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new TypeError(`${name} must be a whole number from ${min} to ${max}: ${value}`);
}

function baseUrlOf(given: string): string {
  const url = parseUrl(given);
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl must be an http or https URL: ${given}`);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Like `URL.parse` and `URL.canParse`, which not every platform has. */
function parseUrl(given: string): URL | undefined {
  try {
    return new URL(given);
  } catch {
    return undefined;
  }
}
