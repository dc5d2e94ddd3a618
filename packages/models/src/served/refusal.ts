const sorry = `(?:(?:I['’]m|I am) )?(?:(?:very|so|truly) )?sorry|(?:my )?apologies|I apologi[sz]e`;
const unable = `I(?: can(?:no|['’])t| can not| won['’]t| will not|(?: am|['’]m) (?:unable|not able|not allowed) to)`;
const asModel = 'as an? (?:AI|(?:large )?language model)[^.,]{0,40}';
const end = String.raw`(?=\s*(?:[.,;:!–—]|$))`;
const doing =
  '(?:help|assist)(?: you)? (?:with|in)|comply with|continue with|engage (?:in|with)|respond to|answer|fulfill?|do|discuss|provide|share|write|create|generate';
/** What can only be the request that was sent to the model. */
const request =
  '(?:(?:that|this|these|those|your|the) (?:requests?|questions?|tasks?|topics?|content|information|texts?)|that|this|it)';
const opinion = '(?:form|have|hold|express|offer|give|provide)(?: an?| any| my| own| personal){0,3} opinions?';
const assisting = '(?:help|assist)(?: you)?';
const ofRequest = `(?:(?:${doing}) ${request}${end}|(?:help|assist|comply)(?: you)?\\W*$|(?:${assisting} (?:with|in) forming (?:an|this|that) opinion|${opinion}(?: (?:about|on|of) ${request})?)${end})`;
const named = '(?:that|this|your|such|questions|personal|private|confidential|medical|legal)';
/** "I can't share your view" is an opinion. */
const feelings = String.raw`(?:\w+ ){1,2}(?:view|opinion|belief|love|taste|enthusiasm|feeling)s?\b`;
/** What a model says of its service; after an apology, also of something that it names. */
const serving = [
  String.raw`${assisting}(?: with\b| in\b|${end})`,
  String.raw`(?:comply|provide(?! for)|discuss|create|generate|fulfill?|engage (?:in|with)|respond to|pretend to be|role-?play|act as)\b`,
  String.raw`(?:answer|continue(?: with)?|proceed with|process|complete|write|share(?! ${feelings})) ${named}\b`,
  `(?:answer|continue|proceed)${end}`,
  'do (?:that|this) (?:because|as|since|for you)',
].join('|');

/**
 * A text that begins with an apology for not serving, or whose first sentence refuses something that it does not name:
 * "I can't help with that", but not "I cannot help with legal questions" or "I'm sorry, but I can't stand jazz".
 */
const refusalText = new RegExp(
  String.raw`^\W*(?:(?:${sorry})[,.;:]? (?:but )?(?:${asModel},? )?${unable} (?:${serving}|${ofRequest})|${asModel}, ${unable} ${opinion}\b|(?:(?:${asModel}|unfortunately), )?${unable} ${ofRequest})`,
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
