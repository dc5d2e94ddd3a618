import { createRandom } from '../scoring/random.ts';

/** Endless plausible sentences, the same for the same seed; each one is a fact of its own. */
export function* sentences(seed: number): Generator<string, never> {
  const pick = createPicker(seed);
  for (;;) {
    const person = `${pick(firstNames)} ${pick(lastNames)}`;
    const other = pick(firstNames);
    yield pick([
      `${person} ${pick(verbs)} ${pick(things)} in ${pick(places)} ${pick(times)}`,
      `${person} told ${other} that the ${pick(events)} in ${pick(places)} ${pick(outcomes)}`,
      `${other} and ${person} ${pick(plans)} the ${pick(events)} ${pick(times)}`,
      `${person} likes ${pick(tastes)} and ${pick(verbs)} ${pick(things)} with ${other}`,
      `Because of the ${pick(events)}, ${person} ${pick(verbs)} ${pick(things)} ${pick(times)}`,
    ]).concat(', ', pick(remarks), '.');
  }
}

/** The next ones, so many. The iterator can be used afterwards, unlike with its own `take`. */
export function take<T>(from: Iterator<T>, count: number): T[] {
  return Array.from({ length: count }, () => from.next().value as T);
}

/** Around a text in JSON. */
const quotes = 2;

/** A text of such sentences, as long as it can be within so many bytes of JSON. */
export function textOfSentences(bytes: number, seed: number): string {
  const texts = sentences(seed);
  const parts: string[] = [];
  for (let length = 0; length < bytes; ) {
    const text = `${texts.next().value} `;
    length += Buffer.byteLength(JSON.stringify(text)) - quotes;
    if (length < bytes) parts.push(text);
  }
  return parts.join('');
}

/** A question that some of the sentences answer. */
export function* questions(seed: number): Generator<string, never> {
  const pick = createPicker(seed);
  for (;;) {
    const person = pick(firstNames);
    yield pick([
      `What did ${person} do in ${pick(places)}?`,
      `Who ${pick(verbs)} ${pick(things)} in ${pick(places)}?`,
      `When does ${person} go to the ${pick(events)} in ${pick(places)}?`,
      `Does ${person} ${pick(lastNames)} like ${pick(tastes)}?`,
      `What happened at the ${pick(events)} with ${person} and ${pick(firstNames)}?`,
    ]);
  }
}

function createPicker(seed: number): <T>(from: readonly T[]) => T {
  const random = createRandom(seed);
  return <T>(from: readonly T[]): T => from[random() % from.length] as T;
}

const list = (text: string) => text.trim().split(/\s*\|\s*/);

const firstNames =
  list(`Ana | Bruno | Chiara | Daniel | Elif | Farid | Greta | Hugo | Ines | Jonas | Karim | Lena | Marta | Nils | Olga |
  Paulo | Quentin | Rosa | Samir | Tamara | Ulrike | Viktor | Wanda | Yusuf | Zora | Amara | Birgit | Cesar | Dalia | Emil`);
const lastNames =
  list(`Almeida | Berger | Costa | Dimitrov | Eriksen | Fontaine | Gruber | Haddad | Ivanova | Jansen | Keller | Lindqvist |
  Moreau | Novak | Okafor | Petrov | Quispe | Ricci | Santos | Tanaka | Urban | Vargas | Weber | Yilmaz | Zeman`);
const places =
  list(`Lisbon | Vienna | Porto | Oslo | Prague | Istanbul | Marseille | Ghent | Turin | Krakow | Seville | Utrecht | Leipzig |
  Dublin | Riga | Zagreb | Bologna | Malmo | Tartu | Lucerne`);
const verbs =
  list(`repaired | painted | sold | borrowed | catalogued | photographed | restored | bought | shipped | donated | designed |
  planted | measured | rebuilt | wrapped | assembled | described | tested`);
const things =
  list(`an old bicycle | a cello | three oak chairs | the harbour archive | a sailing boat | twelve olive trees | a kiln | the church
  organ | a weather station | two telescopes | the library catalogue | a stone bridge model | a vintage camera | a beehive | the
  company website | a set of maps | a wooden loom | the delivery van | a greenhouse | a printing press`);
const events =
  list(`ceramics workshop | chess tournament | book fair | marathon | chamber concert | science festival | film premiere | bridge
  inspection | harvest | job interview | language course | house move | board meeting | exhibition | training camp | wedding`);
const times =
  list(`on Monday morning | before the holidays | late in the evening | during the storm | after a long winter | over the weekend |
  at the end of the month | between two appointments | right after breakfast | in the rain`);
const outcomes =
  list(`was moved to Thursday | started an hour late | drew four hundred visitors | was cancelled because of the heat | cost
  twice as much as planned | went better than expected | has a new director | needs more volunteers | ended with a long dinner`);
const plans = list(
  `prepared | organised | left | missed | financed | recorded | reviewed | praised | postponed | announced`,
);
const tastes =
  list(`mint tea | jazz from the fifties | long train rides | mountain hiking | detective novels | black coffee | rye bread |
  swimming in cold lakes | board games | old maps | cooking with fennel | silent films`);
const remarks =
  list(`and the neighbours helped | although the budget was small | which took nine days | and kept the receipt | as the
  newspaper reported | to everyone's surprise | with a borrowed ladder | and wrote a note about it | while the children watched | without any
  delay | after asking the mayor | for the second time | because the roof leaked | and nobody complained`);
