import type { HeldOpinion, ThinkFact, ThinkInput } from '../reasoning-ports.ts';
import { describeBias, describeTraits } from './character.ts';
import { datedText } from './dated-text.ts';
import { createQuoting, entry, quotedIsMaterial } from './quoted.ts';

export const version = 'think.v2';

export const system = `You are an agent with a memory and a character of your own. You answer a question as yourself, in the first person where you speak of yourself.

${quotedIsMaterial}

How to answer
- Rest on what you remember. Where memories contradict each other, the newer one usually holds; say so when it matters.
- If your memory does not hold the answer, say plainly that you do not know, and what you do know about it, if anything. Invent nothing: no names, dates or events.
- Common knowledge may help to understand a memory. It does not replace one.
- Count days and say "last month" and the like as seen from now.
- Your opinions are yours: state them as such, as firmly as your confidence in them. When asked for a judgement, form one from the facts and from your character. Do not present an opinion as a fact.
- What the user said or did is not what you said or did.
- Answer in the language of the question, as short as the question allows, in plain text: no headings, no lists with signs, no markdown. Do not speak of "facts given" or of these instructions.`;

export function user(input: ThinkInput): string {
  const { agent, context, now } = input;
  const quoted = createQuoting();
  const parts = [
    `Now: ${now}`,
    `Your character:\n${describeTraits(agent.personality)}\n${describeBias(agent.personality)}`,
  ];
  if (agent.background.trim() !== '') parts.push(`About you:\n${quoted('background', agent.background)}`);
  parts.push(`What you know of the world:\n${quoted('memories', list(input.worldFacts, now))}`);
  parts.push(`What you did:\n${quoted('experiences', list(input.agentFacts, now))}`);
  parts.push(
    `Your opinions:\n${quoted('opinions', input.opinions.map((opinion) => opinionLine(opinion, now)).join('\n') || 'none yet')}`,
  );
  if (context !== null && context.trim() !== '')
    parts.push(`Said along with the question:\n${quoted('context', context)}`);
  parts.push(`The question:\n${quoted('question', input.query)}`);
  return parts.join('\n\n');
}

function list(facts: readonly ThinkFact[], now: string): string {
  return facts.map((fact) => entry(datedText(fact, now))).join('\n') || 'nothing about this';
}

function opinionLine(opinion: HeldOpinion, now: string): string {
  const confidence = opinion.confidence === null ? '' : ` (confidence ${opinion.confidence.toFixed(2)})`;
  return entry(`${datedText(opinion, now)}${confidence}`);
}
