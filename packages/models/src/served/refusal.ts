const sorry = `(?:(?:I['’]m|I am) )?(?:(?:very|so|truly|really) )?sorry|(?:my )?apologies|I apologi[sz]e`;
const unable = `I(?: can(?:no|['’])t| can not|(?: won['’]t| will not)(?: be able to)?|(?: am|['’]m) (?:unable|not able|not allowed) to)`;
const asModel = 'as an? (?:AI|(?:large )?language model)[^.,]{0,40}';
const end = String.raw`(?=\s*(?:[.,;:!–—]|$))`;
const doing =
  '(?:help|assist)(?: you)? (?:with|in)|comply with|continue with|engage (?:in|with)|respond to|answer|fulfill?|do|discuss|provide|share|write|create|generate';
/** What can only be the request that was sent to the model. */
const request =
  '(?:(?:that|this|these|those|your|the) (?:requests?|questions?|tasks?|topics?|content|information|texts?)|that|this|it)';
const opinion = '(?:form|have|hold|express|offer|give|provide)(?: an?| any| my| own| personal){0,3} opinions?';
const assisting = '(?:help|assist)(?: you)?';
const editing =
  '(?:merge|combine|rewrite|revise|update) (?:that|this|these|those|your|the) (?:texts?|backgrounds?|opinions?|statements?)';
const ofRequest = `(?:(?:${doing}) ${request}${end}|(?:help|assist|comply)(?: you)?\\W*$|(?:${assisting} (?:with|in) forming (?:an|this|that) opinion|${editing}|${opinion}(?: (?:about|on|of) ${request})?)${end})`;
const named = '(?:that|this|your|such|questions|any|my|personal|private|confidential|medical|legal)';
/** "I can't share your view" is an opinion. */
const feelings = String.raw`(?!(?:any|my|personal) )(?:\w+ ){1,2}(?:view|opinion|belief|love|taste|enthusiasm|feeling)s?\b`;
/** "I can't believe that" is an opinion. */
const feeling =
  '(?:stand|bear|believe|(?:dis)?agree|trust|like|love|hate|enjoy|forgive|forget|imagine|deny|afford|resist|tolerate|share|help)';
/** What a request is about, or that has been sent with it. */
const sent =
  '(?:requests?|questions?|tasks?|topics?|content|information|data|texts?|paragraphs?|backgrounds?|descriptions?|opinions?|statements?|instructions?|beliefs|views|preferences?|traits|judge?ments?|assumptions?|advice|changes|(?:real|private|living) (?:people|persons?|individuals))';
const to = '(?:with|on|in|into|for|to|of|about)';
const ofSent = [
  String.raw`(?:(?:[\w’']{1,20} ){0,2}${to} )?(?:(?:that|this|these|those|your|the|an?|any|such) )?(?:(?!my |his |her )[\w’']{1,20} )?${sent}\b`,
  String.raw`(?:${to} )?(?:that|this|it|these|those)(?:${end}| (?:to|in|into|because|as|since|for you)\b)`,
].join('|');
/** What a model says of its service; after an apology, also of something that it names. */
const serving = [
  String.raw`assist\b|help(?! (?:it|but|myself|\w{2,20}ing)\b)`,
  String.raw`(?:comply|discuss|create|generate|fulfill?|respond to|engage (?:in|with)|pretend to be|role-?play|act as|continue|proceed|produce|express|evaluate|assess|speculate|comment|infer|analy[sz]e|summari[sz]e|merge|combine|rewrite|rephrase|revise|modify|extract|identify|verify|access|invent|promote|form|talk about|do what)\b`,
  String.raw`(?:provide|answer)(?! for)\b|describe(?! how)\b|share(?! ${feelings}) ${named}\b|(?:process|complete|write) ${named}\b`,
  String.raw`give (?:that|this|you|an?y?|my|such|personal|medical|legal|financial|advice|opinions?)\b|take (?:on|sides|an? (?:side|position|stance))\b`,
  String.raw`be (?:part|of|involved)\b`,
  String.raw`(?!${feeling}\b)\w{1,20} (?:${ofSent})`,
].join('|');
const apology = `(?:${sorry})[,.;:]? (?:but )?(?:${asModel},? )?${unable}`;

/**
 * A text that begins with an apology for not serving, or whose first sentence refuses something that it does not name:
 * "I can't help with that", but not "I cannot help with legal questions" or "I'm sorry, but I can't stand jazz".
 */
const refusalText = new RegExp(
  String.raw`^\W*(?:${apology}(?:${end}| (?:${serving}|${ofRequest}))|${asModel}, ${unable} ${opinion}\b|(?:(?:${asModel}|unfortunately), )?${unable} ${ofRequest})`,
  'i',
);
const apologyStart = new RegExp(String.raw`^\W*${apology}\b`, 'i');
const refusalStart = new RegExp(String.raw`^\W*(?:${sorry}|${unable})\b`, 'i');

/** Whether a text is a refusal of the model. A server that enforces the form makes a model put it where a text belongs. */
export function isRefusal(text: string): boolean {
  return refusalText.test(text);
}

/** Whether a text begins with an apology for not being able to do something, whatever it is. */
export function beginsWithApology(text: string): boolean {
  return apologyStart.test(text);
}

/** Whether an answer that should have been JSON, and is none, begins like a refusal. */
export function beginsWithRefusal(answer: string): boolean {
  return refusalStart.test(answer);
}
