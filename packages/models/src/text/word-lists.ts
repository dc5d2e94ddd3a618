/** Reads a list of words; blanks and line breaks separate them. */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => word !== ''));
}

/** English words that tell nothing about the subject of a text. */
export const stopWords = wordSet(`
a about above after again against all am an and any are aren't as at be because been before being below between both but by
can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for from further had hadn't has hasn't
have haven't having he he'd he'll her here here's hers herself him himself his how i i'd i'll i'm i've if in into is isn't it it'd
it'll its itself just let me more most mustn't my myself no nor not now of off on once only or other ought our ours ourselves out
over own same shan't she she'd she'll should shouldn't so some such than that the their theirs them themselves then there these they
they'd they'll they're they've this those through to too under until up very was wasn't we we'd we'll we're we've were weren't what
when where which while who whom why will with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves
`);

const negations = /\b(?:not|never|no longer|no|nobody|none|nothing|hardly|neither|nor|without|cannot)\b|n['’]t\b/gi;

/** Whether a sentence is negated; two negations cancel out. */
export function isNegated(text: string): boolean {
  return (text.match(negations)?.length ?? 0) % 2 === 1;
}

/** Frequent English words, which tell little about the subject of a text, but more than stop words. */
export const commonWords = wordSet(`
able actually add ago allow almost already also always another answer anyone anything area around ask away back bad become begin believe
best better big bit bring build call care carry case cause certain change check choose clear close come consider continue cost could
couple day deal decide decision deep describe different difficult done early easy either else end enjoy enough even ever every everyone
everything exactly example expect explain face fact fall far fast favourite favorite feel final find first follow form former free full
get give go goal good great group grow half hand happen happy hard hear help high hold home hope hour house huge idea important include
interest issue item job join keep kind know large last lately late later lay lead learn least leave less level life like likely line list
little live local long look lose lot love low main make manage many matter may maybe mean meet mention might mind minute miss moment month
move much must name near nearly need never new next nice night nothing number occur offer often old one open opinion order part particular
pass past pay people per perhaps person picture place plan play please plenty point possible prefer pretty probably problem product project
provide purpose put question quick quite raise rather reach read ready real really reason receive recent recently recommend remember remove
reset result return right role room rule run save say second see seem sell send set several shall share show side similar since single sit
situation size small someone something sometimes soon sort sound speak special spend stand start state stay step still stop story stuff
suggest supposed sure take talk team tell term test thing think thought time today together tomorrow tonight top total toward town travel
true try turn two type understand use useful usual usually various view visit wait walk want watch way wear week weekend well whole wish
within without wonder word work world worry worth would write wrong year yes yesterday yet young
`);
