import { type Agent, Mneme } from '@mneme/client';
import { newPerson } from '../access/person.ts';
import type { HttpClient } from '../system/http-client.ts';
import { tokenOf } from '../system/tokens.ts';

/** Makes clients of one new user, each of which knows nothing of what the others have written. */
export async function clientsOf(http: HttpClient): Promise<(url?: string) => Mneme> {
  const apiKey = tokenOf((await newPerson(http)).userId);
  return (url = http.url) => new Mneme({ baseUrl: url, apiKey });
}

/** An agent in the space of a new user. */
export async function newAgent(http: HttpClient, id = 'alice'): Promise<Agent> {
  return (await clientsOf(http))().agent(id);
}
