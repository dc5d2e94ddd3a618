/** Whether a sentence speaks of what has been or of what will be. */
export type Tense = 'past' | 'future' | undefined;

const future =
  /\b(?:will|won't|shall|going to|gonna|plan(?:s|ning)?|hope to|hoping|want to|would like|upcoming|can't wait|looking forward|excited for|starts|begins|opens|(?:am|is|are) (?:leaving|moving|going|having|getting|coming|flying|meeting|visiting|starting|taking|seeing))\b|['’](?:ll|m going|re going|m (?:leaving|having|flying|meeting|starting|taking)|re (?:leaving|having|flying|meeting|starting|taking))\b/i;

const past =
  /\b(?:was|were|wasn't|weren't|had|did|didn't|went|got|came|saw|met|took|made|said|told|bought|gave|left|won|lost|found|began|ran|ate|spent|felt|wrote|read|heard|led|drove|flew|(?!(?:need|indeed|exceed|succeed|proceed|speed|breed|bleed|hundred|wicked|naked)\b)[a-z]{2,}ed)\b/i;

/** The tense of a sentence by its words; undefined when they say nothing, or both. */
export function tenseOf(sentence: string): Tense {
  const hasFuture = future.test(sentence);
  const hasPast = past.test(sentence);
  if (hasFuture === hasPast) return undefined;
  return hasFuture ? 'future' : 'past';
}
