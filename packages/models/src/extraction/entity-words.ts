import type { EntityType } from '../ports.ts';
import { wordSet } from '../text/word-lists.ts';

/** Words that are never names: greetings, interjections, kin, days, months, chat abbreviations. Lower case. */
export const notNames = wordSet(`
  ah aha ahh alas alright amen anyway anyways aw aww awesome bye cheers congrats congratulations cool dear exactly fine gee good goodbye goodnight
  gosh great ha haha hello hey hi hmm hooray huh hurray indeed jeez kudos lol man maybe nah nice nope oh ok okay omg oops ouch phew please right
  sorry sup sure thank thanks totally true ugh uh um well welcome whoa woah wow yay yea yeah yep yes yikes yo yup
  mom mum mama mommy mummy dad daddy papa grandma grandpa granny auntie bro sis sir madam ma'am dude guys folks everyone everybody someone
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  spring summer autumn fall winter today tomorrow yesterday tonight
  aka am asap atm bbq brb btw ceo cfo coo cto cv diy dm dob eg etc eta faq fomo fyi gps hr ie id idk imo imho iou ii iii irl iv jk lmao lmk mc mr
  mrs ms nb nsfw np nvm pc pdf phd pm ps pto qa qr re rip rofl rsvp smh tba tbd tbh thx til tv ty url vip wfh wtf yolo
  image shared photo note i i'm i'd i'll i've im ive
  also although another because besides both despite during each either else even every everything few however instead lately later let's like
  many meanwhile moreover most much neither never nothing often once one otherwise perhaps rather really recently seriously several since
  sometimes soon speaking still suddenly therefore though thus unfortunately unless usually whatever whenever whether without yet
  absolutely actually apparently basically certainly clearly definitely fortunately generally hopefully honestly luckily obviously personally
  probably sadly surely truly apart being check come congratulations do don't doing get getting give glad go going gonna got gotta had happy
  have having here hope keep let look looking looks love loved makes making need no not remember see so sounds take taking talk tell that's
  think thinking those try trying wanna want way went wish wishing work working would
  ai api app css http https html json sql xml ui ux ok gen st nd rd th
  user assistant agent system human customer client bot chatbot
`);

/** Words that are never names of whom one speaks of, but may be those of who speaks. Lower case. */
export const speakersLikeWords = wordSet('an april august can do hung june may ty');

/** Parts of names that are not names on their own. Lower case. */
export const halfNames = wordSet(`
  american african asian australian british canadian chinese dutch english european french german greek indian irish italian japanese korean
  latin mexican portuguese russian spanish swedish swiss turkish western eastern northern southern
  hawaiian danish finnish norwegian polish ukrainian brazilian egyptian israeli iranian scottish welsh vietnamese thai arab arabic hebrew
`);

/** Names that are also common words: at the start of a sentence they count as the word. */
export const wordsLikeNames = wordSet(`
  amber angel art ash autumn bill bob brook buck carol chance charity chase chuck clay cliff coral crystal dale dawn dean dick drew earnest
  eve faith flora frank gay gene ginger glen grace grant guy hazel heath herb holly hope hunter iris ivy jack jasmine jay jean jewel joy jude
  june lance lane laurel lee lily major mark marina mason max melody merry mike miles mina misty nick norm olive opal pat patience peg penny
  pepper pierce poppy prince ray reed rich rob robin rod rose ruby rusty sandy savannah skip sky stew sue summer sunny ted terry tony trip
  van violet wade ward will willow woody china turkey jordan chad mobile nice reading bath orange
  apple docker excel java notion python ruby rust safari siri slack spotify steam swift switch windows zoom target meta prince christian major
`);

/** Types by the last word of a name. Lower case. */
export const typeByLastWord: ReadonlyMap<string, EntityType> = new Map([
  ...typed(
    'ORG',
    `academy agency airlines airways alliance army association authority bank board bureau club co college commission committee company
    corp corporation council court department fc federation foundation fund gmbh group guild hospital inc institute institution journal
    laboratories labs league llc llp ltd magazine ministry nations ngo orchestra organisation organization parliament party plc
    police press school senate services society studios symphony systems team technologies times treasury union university ventures`,
  ),
  ...typed(
    'PLACE',
    `airport alley arena avenue bay beach boulevard bridge building canyon castle cathedral cave center centre city coast county creek desert
    district falls forest garden gardens gulf harbor harbour heights hills hotel island islands isle lake library mall market monastery
    mosque mount mountain mountains museum palace park peak peninsula plaza port province reef river road springs square
    stadium station street temple tower town trail valley village volcano waterfall zoo`,
  ),
  ...typed(
    'CONCEPT',
    'day eve act amendment theorem law protocol syndrome disease theory effect principle month year christmas',
  ),
  ...typed('PRODUCT', 'app console edition phone watch'),
]);

/** Types by the first word of a name. Lower case. */
export const typeByFirstWord: ReadonlyMap<string, EntityType> = new Map([
  ...typed('PLACE', 'lake mount mt fort cape port'),
  ...typed('ORG', 'university bank ministry department institute'),
  ...typed(
    'PERSON',
    'mr mrs ms dr prof professor sir lady aunt uncle president senator captain king queen princess pope saint',
  ),
]);

/** Places with a number or a letter: Room 101 is not Room 102. Lower case. */
export const numberedPlaces = wordSet(
  'room building floor gate terminal platform hall suite apartment hangar warehouse studio',
);

/** A number before one of these is an amount and no part of a name: "Anna owes Ben 500 dollars". Lower case. */
export const amountWords = wordSet(
  'dollars bucks euros pounds cents pence francs yen rupees pesos yuan lira thousand million billion km kg mm cm ml',
);

/** Types of known names. Lower case. */
export const knownNames: ReadonlyMap<string, EntityType> = new Map([
  ...typed(
    'PRODUCT',
    `alexa android bmw chatgpt chromebook corvette docker excel ferrari figma firefox fitbit github gmail gpt ios ipad iphone imac kindle kubernetes lego
    linux macbook macos mongodb nats netflix nintendo notion photoshop playstation porsche postgres postgresql powerpoint prius ps4 ps5 qdrant
    redis roomba safari siri slack spotify steam switch tesla tiktok trello ubuntu vespa whatsapp windows xbox youtube zoom`,
  ),
  ...typed('ORG', 'acme adidas apple ibm ikea microsoft nasa nba nfl nhl spacex stanford un unesco unicef'),
  ...typed(
    'CONCEPT',
    `javascript typescript python java rust golang kotlin swift ruby php c++ c# lgbt lgbtq lgbtq+ lgbtqia christmas easter halloween hanukkah
    ramadan diwali thanksgiving passover buddhism christianity hinduism islam judaism yoga zen adhd hiv covid covid-19 gdpr dna rna`,
  ),
  ...typed('PLACE', 'nyc uk usa us u.s. u.s.a. u.k. uae eu la sf dc'),
]);

function typed(type: EntityType, list: string): [string, EntityType][] {
  return [...wordSet(list)].map((word) => [word, type]);
}
