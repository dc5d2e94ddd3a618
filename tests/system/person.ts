import { randomInt } from 'node:crypto';
import type { CreatedKeyReply, KeyReply, MeReply } from '@mneme/contracts';
import type { HttpClient } from './http-client.ts';
import { tokenOf } from './tokens.ts';

/** A user of the system under test. */
export interface Person {
  readonly userId: number;
  /** Sends requests on behalf of this user. */
  readonly http: HttpClient;
  /** The personal space, and the project in it. */
  readonly spaceId: number;
  readonly projectId: number;
}

/** A user whom no one has seen before, after the first request. No test names an id this high itself. */
export async function newPerson(http: HttpClient): Promise<Person> {
  const userId = randomInt(1_000_000, 1_000_000_000);
  const asUser = http.as(tokenOf(userId));
  const { status, body } = await asUser.get<MeReply>('/api/v3/me');
  const [space] = body.spaces ?? [];
  const [project] = space?.projects ?? [];
  if (!space || !project) throw new Error(`GET /api/v3/me answered ${status} ${JSON.stringify(body)}`);
  return { userId, http: asUser, spaceId: space.id, projectId: project.id };
}

/** Makes a key in the person's own project, unless the fields say otherwise. */
export async function createKey({ http, projectId }: Person, fields: object = {}): Promise<CreatedKeyReply> {
  const request = { name: 'A key', project_id: projectId, ...fields };
  const { status, body } = await http.post<CreatedKeyReply>('/api/v3/api-keys', request);
  if (status !== 201) throw new Error(`POST /api/v3/api-keys answered ${status} ${JSON.stringify(body)}`);
  return body;
}

export async function keysOf({ http, projectId }: Person): Promise<readonly KeyReply[]> {
  return (await http.get<KeyReply[]>(`/api/v3/api-keys?project_id=${projectId}`)).body;
}

/** One key as the list shows it. */
export async function keyOf(person: Person, id: number): Promise<KeyReply> {
  const found = (await keysOf(person)).find((key) => key.id === id);
  if (!found) throw new Error(`The key ${id} is not listed`);
  return found;
}

/** A request to the memory area that costs little and that every key may make. */
export async function useKey(http: HttpClient, key: string): Promise<number> {
  return (await http.as(key).get('/api/agents')).status;
}

export function refusal(status: number, code: string, message: string): object {
  return { status, body: { status, code, message, detail: message } };
}
