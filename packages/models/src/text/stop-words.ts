const list = `
a about above after again against all am an and any are aren't as at be because been before being below between both but by
can can't cannot could couldn't did didn't do does doesn't doing don't down during each few for from further had hadn't has hasn't
have haven't having he he'd he'll her here here's hers herself him himself his how i i'd i'll i'm i've if in into is isn't it it'd
it'll its itself just let me more most mustn't my myself no nor not now of off on once only or other ought our ours ourselves out
over own same shan't she she'd she'll should shouldn't so some such than that the their theirs them themselves then there these they
they'd they'll they're they've this those through to too under until up very was wasn't we we'd we'll we're we've were weren't what
when where which while who whom why will with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves
`;

/** English words that say little about what a text is about. */
export const stopWords: ReadonlySet<string> = new Set(list.split(/\s+/).filter((word) => word !== ''));
