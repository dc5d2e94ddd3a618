const sorry = `(?:(?:I['’]m|I am) )?(?:(?:very|so|truly) )?sorry|(?:my )?apologies|I apologi[sz]e`;
const unable = `I(?: can(?:no|['’])t| can not| won['’]t| will not|(?: am|['’]m) (?:unable|not able|not allowed) to)`;
const doing =
  '(?:help|assist)(?: you)? (?:with|in)|comply with|continue with|engage (?:in|with)|respond to|answer|do|discuss|provide|share|write|create|generate';
/** What can only be the request that was sent to the model. */
const request =
  '(?:(?:that|this|these|those|your|the) (?:requests?|questions?|tasks?|topics?|content|information|texts?)|that|this|it)';
const end = String.raw`(?=\s*(?:[.,;:!–—]|$))`;

/**
 * A text that begins with an apology for not doing something, or whose first sentence refuses something that it does not
 * name: "I can't help with that", but not "I cannot help with legal questions".
 */
const refusalText = new RegExp(
  String.raw`^\W*(?:(?:${sorry})[,.;:]? (?:but )?${unable}\b|(?:(?:as an AI[^.,]{0,40}|unfortunately), )?${unable} (?:(?:${doing}) ${request}${end}|(?:help|assist|comply)(?: you)?\W*$))`,
  'i',
);
const refusalStart = new RegExp(String.raw`^\W*(?:${sorry}|${unable})\b`, 'i');

/** Whether a text is a refusal of the model. A server that enforces the form makes a model put it where a text belongs. */
export function isRefusal(text: string): boolean {
  return refusalText.test(text);
}

/** Whether an answer that should have been JSON, and is none, begins like a refusal. */
export function beginsWithRefusal(answer: string): boolean {
  return refusalStart.test(answer);
}
