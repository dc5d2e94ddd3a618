import { createEntityFinder } from '../extraction/entity-finder.ts';
import { createLexicon } from '../extraction/lexicon.ts';
import type { Chat } from '../langchain/chat.ts';
import type { Entity } from '../ports.ts';
import * as prompt from '../prompts/opinions.v3.ts';
import { createKnownTexts } from '../reasoning/known-texts.ts';
import type { OpinionFormer, OpinionRevision, RevisionInput } from '../reasoning-ports.ts';
import { opinionsAnswer, type RevisionAnswer, revisionAnswer, tidyEntities } from './answer-schemas.ts';
import { askStructured } from './structured.ts';

const maxOpinions = 10;

/** Finds and revises opinions by a language model. */
export function createServedOpinions(chat: Chat): OpinionFormer {
  const lexicon = createLexicon();
  const findEntities = (text: string) => createEntityFinder(lexicon).find(text, []);
  return {
    name: chat.name,
    promptVersion: prompt.version,
    form: async (input, signal) => {
      const request = {
        name: 'opinions',
        schema: opinionsAnswer,
        system: prompt.formSystem,
        user: prompt.formUser(input),
      };
      const { opinions } = await askStructured(chat, request, signal);
      const known = createKnownTexts(input.knownOpinions);
      return opinions
        .map(({ text, confidence, entities }) => ({
          text: text.toWellFormed().trim(),
          confidence,
          entities: tidyEntities(entities),
        }))
        .filter(({ text }) => text !== '' && known.add(text))
        .slice(0, maxOpinions);
    },
    revise: async (input, signal) => {
      const request = {
        name: 'revision',
        schema: revisionAnswer,
        system: prompt.reviseSystem,
        user: prompt.reviseUser(input),
      };
      return coherent(await askStructured(chat, request, signal), input, findEntities);
    },
  };
}

/**
 * A verdict whose text and confidence say something else is taken for what these say. Of a new text whose entities the
 * model left out, they are found by rules.
 */
function coherent(
  answer: RevisionAnswer,
  { opinion }: RevisionInput,
  findEntities: (text: string) => Entity[],
): OpinionRevision {
  const text = answer.text.toWellFormed().trim();
  if (answer.verdict === 'keep') return { verdict: 'keep', ...opinion };
  if (answer.verdict === 'rewrite' && text !== '' && text !== opinion.text) {
    const entities = tidyEntities(answer.entities ?? findEntities(text));
    return { verdict: 'rewrite', text, confidence: answer.confidence, entities };
  }
  if (answer.confidence === opinion.confidence) return { verdict: 'keep', ...opinion };
  const verdict = answer.confidence > opinion.confidence ? 'raise' : 'lower';
  if (answer.verdict !== 'rewrite' && answer.verdict !== verdict) return { verdict: 'keep', ...opinion };
  return { verdict, text: opinion.text, confidence: answer.confidence };
}
