import { wordSet } from '../../text/word-lists.ts';

/** The words of a text in lower case, with their apostrophes: `I’m` is `i'm`. */
export function plainWords(text: string): string[] {
  return (text.match(/[\p{L}\p{M}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? []).map((word) =>
    word.toLowerCase().replaceAll('’', "'"),
  );
}

/** Words that greet, thank, agree, exclaim or judge in general. A sentence of these and of stop words states nothing. */
export const fillerWords = wordSet(`
  absolutely adorable afternoon ah aha always amazing anytime appreciate are aw awesome aww beautiful bet bless bro btw bye care cheers congrats
  congratulations cool couldn't course cute day dear definitely dont dude enjoy evening everything exactly excellent excited exciting fabulous fair
  fantastic feel fine forward fun glad going gonna good goodbye goodness gosh got great guess guys haha hahaha hang happy hard hear heck hello hey hi
  hmm hooray hope hopefully how huge im impressive incredible indeed insane inspiring interesting keep kidding kinda know later let's lets like lmao
  lol look looking looks lots love lovely luck lucky man many maybe meet morning much nah neat need nice night nope nothing oh ok okay omg one ooh
  oops ouch perfect please pleasure pretty probably proud really relate right sad said say saying see seeing seriously something soon sorry sound
  sounds still stunning super sure sweet take talk talking tell terrible thank thanks thats think thought time today tomorrow tonight totally touch
  true truly u ugh um understand ur wait way weekend welcome well whats whoa wish wonderful worries wow yay yeah yep yes yikes you're yup
`);

const verbs = `
  accept add adopt agree am answer apply are arrive ask attend avoid bake be become began begin believe belong bike book bought break bring broke brought
  build built burn buy call came can can't cancel caught change check choose chose clean climb close collect come complete cook cost could couldn't
  create cried cut dance decide design did didn't die do does doesn't don't draw drew drink drive drove earn eat end enjoy feel fell felt finish
  fix flew fly follow forget forgot found gave get give go goes got graduate grew grow had hadn't has hasn't hate have haven't hear heard help hike hired hold
  hope hurt is isn't join keep kept knew know lead learn learnt leave led left let like listen live lost love made make manage married may meet met might miss
  move must need never offer open order own paid paint passed pay plan play practice practise prefer prepare quit raise ran read receive recommend
  remember rent retire ride rode run said sang sat saw say see seem sell send sent set shall share should shouldn't showed sing sleep slept sold speak spend
  spent spoke stand start stay stood stop study suffer suggest swim take talk taught teach tell tend think thought told took train travel tried try
  turn understand use visit volunteer wait walk want was wasn't watch wear went were weren't will win wish won won't wore work worry would wouldn't write wrote
`;

function thirdPerson(verb: string): string[] {
  if (/(?:[^aeiou]o|s|x|ch|sh)$/.test(verb)) return [verb, `${verb}es`];
  return [verb, `${verb}s`, verb.replace(/y$/, 'ies')];
}

/** Forms of frequent verbs with which a clause can go on after its subject. */
const finiteVerbs: ReadonlySet<string> = new Set([...wordSet(verbs)].flatMap(thirdPerson));

export const adverbs = wordSet(`
  actually almost already also always currently definitely even eventually finally first just mainly mostly never now often only originally probably
  rarely really recently regularly since sometimes soon still then usually
`);

/** Whether a word can be the verb of a clause: a frequent verb, or a regular past. */
export function isFiniteVerb(word: string): boolean {
  return finiteVerbs.has(word) || /^[a-z]{2,}ed$/.test(word);
}
