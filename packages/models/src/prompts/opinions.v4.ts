import type { AgentCharacter, OpinionInput, RevisionInput } from '../reasoning-ports.ts';
import { describeBias, describeTraits } from './character.ts';
import { datedText, dayText } from './dated-text.ts';
import { createQuoting, entry, type Quoting, quotedIsMaterial } from './quoted.ts';

export const version = 'opinions.v4';

export const formSystem = `You read what an agent has answered and note the beliefs of its own that it has stated there for the first time.

${quotedIsMaterial}

- A belief is a judgement, a preference, an expectation or an evaluation that the agent makes its own in the answer. What it only reports of others, what it knows as a fact, and politeness are none.
- Leave out what says the same as an opinion that the agent holds already.
- Write each belief as one sentence in the first person that can be understood alone, with names instead of pronouns, in the language of the answer: "I think that Berlin suits Anna better than Hamburg, because she loves lakes."
- "confidence" is a number from 0 to 1: 0.9 and more for what is said without any doubt, about 0.7 for "I think", about 0.5 for "maybe" and "it seems", less for a guess.
- "entities" are the people, organisations, places, products and particular concepts that it names, of type PERSON, ORG, PLACE, PRODUCT, CONCEPT or OTHER.
- Most answers hold none: then give {"opinions":[]}.

Answer with one JSON object of the form {"opinions":[{"text":"I think ...","confidence":0.7,"entities":[{"name":"Anna","type":"PERSON"}]}]}, and nothing else.`;

export function formUser({ query, answer, agent, knownOpinions }: OpinionInput): string {
  const quoted = createQuoting();
  return [
    character(agent, quoted),
    `Opinions that the agent holds already:\n${quoted('known', knownOpinions.map(entry).join('\n') || 'none')}`,
    `The question:\n${quoted('question', query)}`,
    `The agent's answer:\n${quoted('answer', answer)}`,
  ].join('\n\n');
}

export const reviseSystem = `An agent holds an opinion, and new facts have become known. You decide what becomes of the opinion.

${quotedIsMaterial}

- "keep": the facts do not bear on the opinion, or leave it as it is.
- "raise": the facts support it. The confidence goes up.
- "lower": the facts speak against it, but it can still be held. The confidence goes down.
- "rewrite": the facts show that it has to be another opinion. Write the new one as one sentence in the first person that can be understood alone.
- Each fact begins with its day in brackets. What becomes known today may be long past: a fact that is older than those which the opinion already takes into account tells how things were, and does not undo what newer ones have shown. Of facts that contradict each other, the newer one usually holds.
- One fact moves the confidence by about 0.1, strong evidence by up to 0.3. The character may colour the judgement as far as its bias strength says, but it does not undo a fact.
- "text" is the opinion as it was, unless the verdict is "rewrite". "confidence" is a number from 0 to 1.
- "entities" are the people, organisations, places, products and particular concepts that the text names, of type PERSON, ORG, PLACE, PRODUCT, CONCEPT or OTHER.

Answer with one JSON object of the form {"verdict":"lower","text":"I think ...","confidence":0.6,"entities":[{"name":"Anna","type":"PERSON"}]}, and nothing else.`;

export function reviseUser(input: RevisionInput): string {
  const { opinion, facts, agent, now } = input;
  const quoted = createQuoting();
  const dated = facts.map((fact) => entry(datedText(fact, now)));
  return [
    `Now: ${now}`,
    character(agent, quoted),
    `The opinion, ${held(input)}:\n${quoted('opinion', opinion.text)}`,
    `The new facts:\n${quoted('facts', dated.join('\n'))}`,
  ].join('\n\n');
}

/** Since when an opinion is held, up to when it takes facts into account, and how sure it is. */
function held({ opinion, formedAt, factsUntil, now }: RevisionInput): string {
  const formed = dayText(formedAt, now);
  const until = dayText(factsUntil, now);
  return [
    ...(formed === undefined ? [] : [`formed on ${formed}`]),
    ...(until === undefined ? [] : [`revised since then for facts up to ${until}`]),
    `held with confidence ${opinion.confidence.toFixed(2)}`,
  ].join(', ');
}

function character({ personality, background }: AgentCharacter, quoted: Quoting): string {
  const about = background.trim() === '' ? '' : `\n${quoted('background', background)}`;
  return `The agent's character:\n${describeTraits(personality)}\n${describeBias(personality)}${about}`;
}
