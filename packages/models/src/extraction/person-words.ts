import { wordSet } from '../text/word-lists.ts';
import type { Gender } from './lexicon.ts';

const female = wordSet(`
  mother mom mum sister daughter wife girlfriend aunt auntie grandmother grandma granny granddaughter niece woman girl lady queen actress waitress
  mother-in-law sister-in-law bride princess nun
`);
const male = wordSet(`
  father dad brother son husband boyfriend uncle grandfather grandpa grandson nephew man boy guy gentleman king actor waiter father-in-law
  brother-in-law groom prince priest monk
`);
const either = wordSet(`
  friend cousin boss manager colleague coworker neighbour neighbor partner fiance fiancee fiancé fiancée spouse parent child kid baby toddler twin
  roommate flatmate teacher professor student coach therapist doctor nurse dentist lawyer vet driver landlord tenant mentor user customer client
  patient person someone somebody stranger author singer artist player agent assistant
  dog puppy cat kitten pet horse bird parrot rabbit hamster bunny cow pony
`);

/** Persons and animals that count with or without an article. Lower case. */
const kin: ReadonlyMap<string, Gender | undefined> = new Map([
  ...gendered(female, 'female'),
  ...gendered(male, 'male'),
  ...gendered(either, undefined),
]);

/**
 * Words that are professions in "I am a ...", and neither traits nor pastimes. A word that is missing only keeps an outdated
 * sentence. Lower case.
 */
export const professions: ReadonlySet<string> = wordSet(`
  accountant actor actress actuary analyst anesthesiologist anthropologist archaeologist architect archivist astronaut astronomer attorney
  auditor banker barber barista bartender biologist blacksmith bookkeeper bricklayer broker builder butcher cardiologist caregiver
  carpenter cashier chef chemist cinematographer cleaner clerk concierge consultant contractor copywriter counsellor counselor courier
  curator dentist dermatologist designer detective developer dietician dietitian diplomat doctor economist editor electrician engineer
  estheticist farmer firefighter fisherman florist geologist geographer goldsmith hairdresser historian illustrator instructor interpreter
  investigator janitor jeweler joiner journalist judge landscaper lawyer lecturer librarian lifeguard locksmith machinist manager marketer
  mathematician mechanic meteorologist microbiologist midwife miner neurologist neuroscientist nurse nutritionist optician optometrist
  paediatrician paralegal paramedic pathologist pediatrician pharmacist physician physicist physiotherapist pilot plumber policeman
  policewoman politician postman producer professor programmer proofreader psychiatrist psychologist psychotherapist publicist radiologist
  realtor receptionist recruiter reporter researcher roofer salesman salesperson saleswoman scientist screenwriter seamstress secretary
  sociologist soldier solicitor statistician steward stewardess stylist surgeon surveyor tailor teacher technician tester therapist
  trainer translator tutor undertaker vet veterinarian videographer waiter waitress warden watchmaker welder zoologist
`);

/** More persons, by words whose ending does not tell. Lower case. */
const otherPersons = wordSet(`
  adult ally apprentice athlete bandit beggar bishop bodyguard buddy bully burglar butler candidate captain caretaker ceo cfo chairperson champion
  chief cio classmate clown coauthor colonel comrade coo cop critic crook crush cto delegate deputy drunk dude dwarf employee enemy ex expert fan
  gp graduate guard guest guide heir hero heroine host hostess housemate housewife idiot imam intern jerk landlady liar maid mate mayor
  medic millionaire mistress muse nanny official orphan pal passer-by patron peer playmate poet pope principal
  prophet protégé psychic pupil rabbi recruit referee refugee relative rep representative rival scholar sheriff sibling soulmate spy stepdad
  stepmom stepson suspect teammate teen thief thug trainee trustee umpire veteran vicar victim villain vp widow witch witness wizard youth
`);

/** Things that end like persons: "a computer" is none. A word that is missing only leaves a pronoun as it is. Lower case. */
const things = wordSet(`
  accelerator accent accident adapter advent amber amplifier anchor anger answer ant appetizer armor ascent banner banter barrier beer behavior
  bestseller binder bladder blazer blender blister blockbuster boiler booster border boulder browser buffer bulldozer bummer bumper bunker burger
  burner butter buzzer calculator camcorder cancer career cauliflower cent center chamber chandelier chapter charger charter chatter checklist
  cheeseburger chopper chowder cider cipher cleanser clover cluster clutter coaster coefficient color compiler component compressor computer
  conditioner connector consent container content continent controller converter cooker cooler copier copper corner corridor counter cover crater
  crescent croissant cruiser cucumber current cursor cylinder dagger danger debugger decor denominator dent deodorant descent destroyer detector
  detergent diameter diaper diner dinner disaster dishwasher disorder dispenser door dossier drawer dresser dryer dumpster eggplant elevator
  encounter endeavor equivalent eraser error escalator event exponent extent exterior extinguisher eyeliner factor favor feather feeder fertilizer
  fever fiber filler filter finger firecracker fist flavor floor flower folder footer formatter foyer freezer freighter frontier fryer fundraiser
  gender generator ginger gist glacier glitter gradient grant grater grinder gutter hamburger hammer hangover harbor header heater heist
  helicopter holster honor horror humidifier humor hunger identifier implant incident indicator ingredient inhaler instant intent interior jumper
  kilometer labor ladder lager laser laughter lavender layer leather ledger leftover letter lever lighter liquor list liter litter liver lobster
  locker loudspeaker lubricant lumber maneuver manner manor manpower manslaughter manufacturer marker matter merger metaphor meteor meter mirror
  mist mixer moisturizer monitor motor mower murder newsletter newspaper number nutrient odor offer optimizer orient outdoor oyster pacemaker
  pageant pager painkiller paper parameter parlor parser patent pendant pepper percent perimeter pier placeholder planner plant plaster platter
  playlist plunger pointer poker poster powder power prayer precedent present primer printer processor projector propeller purifier quadrant
  quarter radiator razor reactor receiver recorder refrigerator register regulator remainder reminder renderer rent restaurant retailer revolver
  river roller rotor router rubber rumor saucer scanner scent scooter screwdriver sector semester sensor server sewer shelter shortlist shoulder
  shower shutter silver simulator skyscraper slaughter sleepover slider slipper slumber sneaker soccer solvent spoiler sprinkler stapler starter
  steamer sticker stopper stretcher stroller summer sunflower superpower supper surrender sweater synthesizer takeover talent tanker temper tent
  terror theater thermometer thriller thunder ticker tier timber timer toaster toner torrent tower tracker tractor trailer transfer transformer
  transmitter transplant trigger trimester trimmer tumbler tumor turnover twist typewriter ulcer vapor variant vector vent ventilator voucher
  wager waist wallpaper warrant water weather whisper willpower winter wishlist wonder wrapper wrist zipper
`);

/** Qualities and verbs that end like persons, as in "a different one" and "my parents prefer it". Lower case. */
const otherWords = wordSet(`
  absent abundant adjacent alter altogether ambient ancient another apparent arrogant asian australian bent better bigger bitter bother brazilian
  brighter brilliant broader busier canadian cheaper cheer christian clearer clever closer coherent colder competent confident consider consistent
  constant convenient cuter darker decent deeper deliver dependent differ different discover distant dominant eager earlier easier efficient
  egyptian either elder elegant enter ever evident excellent exist farther faster fewer finer fluent forever former fragrant frequent fresher
  funnier further gather german giant greater happier harder healthier heavier higher hotter however human ignorant impatient important
  independent indian indifferent indoor inferior inherent inner innocent insist insufficient intelligent irrelevant italian junior larger later
  latter lent lesser linger longer louder lower magnificent major meant median minor moist moreover nearer neither never newer nicer older order
  other outer per permanent persistent pertinent pleasant poor poorer prefer pregnant premier prettier prevent prior prominent proper quicker
  quieter radiant rather recent recover redundant refer relevant reluctant remember represent resent resist richer roman russian safer senior sent
  sheer shorter significant silent simpler slender slower smaller smarter sober softer sooner spent stricter stronger subsequent suffer sufficient
  super superior sweeter taller tender thicker thinner tighter together tolerant tougher transgender transient transparent turbulent unpleasant
  upper urgent utter vacant vegetarian vibrant violent wander want warmer weaker went whatever whenever wherever whether whichever whoever wider
  younger
`);

const ending = /(?:er|or|ist|ian|ant|(?<!m)ent|man|woman|person)$/;

export interface PersonWord {
  readonly gender: Gender | undefined;
  /** A person only by its ending. */
  readonly isGuess: boolean;
}

/**
 * The person that a noun means; undefined when it means none. Of `ex-husband` the last part counts.
 * @param isDetermined whether an article or an owner is before it: "the judge", but not "they judge"
 */
export function personWord(noun: string, isDetermined: boolean): PersonWord | undefined {
  const whole = noun.toLowerCase();
  const isSmall = noun === whole;
  const word = kin.has(whole) ? whole : whole.slice(whole.lastIndexOf('-') + 1);
  if (isSmall && kin.has(word)) return { gender: kin.get(word), isGuess: false };
  if (!isDetermined) return undefined;
  const gender = word.endsWith('woman') ? 'female' : word.endsWith('man') ? 'male' : undefined;
  if (professions.has(word) || otherPersons.has(word)) return { gender, isGuess: false };
  return isSmall && ending.test(word) && !things.has(word) && !otherWords.has(word)
    ? { gender, isGuess: true }
    : undefined;
}

function gendered(words: Iterable<string>, gender: Gender | undefined): [string, Gender | undefined][] {
  return [...words].map((word) => [word, gender]);
}
