import { createRuleExtractor } from '../extraction/rule-extractor.ts';
import { unquoted } from '../prompts/quoted.ts';
import { createRuleBackground } from '../reasoning/rule-background.ts';
import type { PlainReply } from './model-reply.ts';
import type { ModelRequest } from './model-request.ts';

const extractor = createRuleExtractor();
const background = createRuleBackground();

/** A valid and deterministic answer, as a well-behaved model might give. */
export async function defaultReply(request: ModelRequest): Promise<PlainReply> {
  const { task, prompt } = request;
  switch (task) {
    case 'extract':
      return { json: { facts: await factsOf(between(prompt, 'text')) } };
    case 'think':
      return 'This is what the stand-in model answers.';
    case 'opinions':
      return { json: { opinions: [] } };
    case 'revise':
      return { json: { verdict: 'keep', text: between(prompt, 'opinion'), confidence: 0.5 } };
    case 'background':
      return { json: { background: await mergedBackground(prompt) } };
    case 'traits':
      return { json: await background.inferTraits(between(prompt, 'background')) };
    default:
      return request.body.response_format === undefined ? 'OK' : '{}';
  }
}

async function factsOf(content: string) {
  const facts = await extractor.extract({ content, eventDate: 'unknown', context: null });
  return facts.map(({ text, factType, entities }) => ({ text, type: factType, date: null, entities }));
}

function mergedBackground(prompt: string): Promise<string> {
  const current = between(prompt, 'current');
  return background.merge({ current: current === 'empty' ? '' : current, addition: between(prompt, 'new') });
}

function between(text: string, mark: string): string {
  const start = text.lastIndexOf(`<${mark}-`);
  const content = text.indexOf('\n', start) + 1;
  const end = text.lastIndexOf(`\n</${mark}-`);
  return start < 0 || end < 0 ? '' : unquoted(text.slice(content, end));
}
