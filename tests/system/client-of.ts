import { type Agent, Mneme } from '@mneme/client';
import type { HttpClient } from './http-client.ts';
import { newPerson, type Person } from './person.ts';
import { tokenOf } from './tokens.ts';

/** A client of a user, which knows nothing of what other clients have written. */
export function clientOf({ http, userId }: Pick<Person, 'http' | 'userId'>, baseUrl = http.url): Mneme {
  return new Mneme({ baseUrl, apiKey: tokenOf(userId) });
}

/** Makes clients of one new user. */
export async function clientsOf(http: HttpClient): Promise<(url?: string) => Mneme> {
  const person = await newPerson(http);
  return (url) => clientOf(person, url);
}

/** An agent in the space of a new user. */
export async function newAgent(http: HttpClient, id = 'alice'): Promise<Agent> {
  return clientOf(await newPerson(http)).agent(id);
}
