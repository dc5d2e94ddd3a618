import { createEntityFinder } from '../extraction/entity-finder.ts';
import { createLexicon } from '../extraction/lexicon.ts';
import type { Chat } from '../langchain/chat.ts';
import type { Entity } from '../ports.ts';
import * as backgroundPrompt from '../prompts/background.v3.ts';
import * as opinionPrompt from '../prompts/opinions.v4.ts';
import * as thinkPrompt from '../prompts/think.v2.ts';
import { createKnownTexts } from '../reasoning/known-texts.ts';
import type { BackgroundWriter, OpinionFormer, OpinionRevision, RevisionInput, Thinker } from '../reasoning-ports.ts';
import { askStructured, askText } from './answers.ts';
import { isRefusal } from './refusal.ts';
import {
  backgroundAnswer,
  isOpinion,
  opinionsAnswer,
  type RevisionAnswer,
  revisionAnswer,
  tidyEntities,
  traitsAnswer,
} from './schemas.ts';

/** Answers questions with a language model. */
export function createServedThinker(chat: Chat): Thinker {
  return {
    name: chat.name,
    promptVersion: thinkPrompt.version,
    think: (input, signal) => askText(chat, { system: thinkPrompt.system, user: thinkPrompt.user(input) }, signal),
  };
}

/** Merges backgrounds and infers traits with a language model. */
export function createServedBackground(chat: Chat): BackgroundWriter {
  return {
    name: chat.name,
    promptVersion: backgroundPrompt.version,
    merge: async (input, signal) => {
      const request = {
        name: 'background',
        schema: backgroundAnswer,
        system: backgroundPrompt.mergeSystem,
        user: backgroundPrompt.mergeUser(input),
      };
      return (await askStructured(chat, request, signal)).background.toWellFormed();
    },
    inferTraits: (background, signal) => {
      const request = {
        name: 'traits',
        schema: traitsAnswer,
        system: backgroundPrompt.traitsSystem,
        user: backgroundPrompt.traitsUser(background),
      };
      return askStructured(chat, request, signal);
    },
  };
}

const maxOpinions = 10;

/**
 * Forms and revises opinions with a language model.
 * @param revising asked about opinions that are reconsidered
 */
export function createServedOpinions(chat: Chat, revising: Chat): OpinionFormer {
  const lexicon = createLexicon();
  const findEntities = (text: string) => createEntityFinder(lexicon).find(text, []);
  return {
    name: chat.name,
    promptVersion: opinionPrompt.version,
    form: async (input, signal) => {
      const request = {
        name: 'opinions',
        schema: opinionsAnswer,
        system: opinionPrompt.formSystem,
        user: opinionPrompt.formUser(input),
      };
      const { opinions } = await askStructured(chat, request, signal);
      const known = createKnownTexts(input.knownOpinions);
      return opinions
        .map(({ text, confidence, entities }) => ({
          text: text.toWellFormed().trim(),
          confidence,
          entities: tidyEntities(entities),
        }))
        .filter(({ text }) => isOpinion(text) && known.add(text) === undefined)
        .slice(0, maxOpinions);
    },
    revise: async (input, signal) => {
      const request = {
        name: 'revision',
        schema: revisionAnswer,
        system: opinionPrompt.reviseSystem,
        user: opinionPrompt.reviseUser(input),
      };
      return coherent(await askStructured(revising, request, signal), input, findEntities);
    },
  };
}

/**
 * Corrects a verdict that contradicts the text and the confidence of the answer. When the model left out the entities
 * of a new text, rules find them.
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
  const isRefused = text !== opinion.text && isRefusal(text);
  if (isRefused || answer.confidence === opinion.confidence) return { verdict: 'keep', ...opinion };
  const verdict = answer.confidence > opinion.confidence ? 'raise' : 'lower';
  if (answer.verdict !== 'rewrite' && answer.verdict !== verdict) return { verdict: 'keep', ...opinion };
  return { verdict, text: opinion.text, confidence: answer.confidence };
}
