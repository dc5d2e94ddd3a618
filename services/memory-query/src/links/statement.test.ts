import { describe, expect, test } from 'vitest';
import { statementOf } from './statement.ts';

describe('two texts state the same if they differ only in', () => {
  test.each([
    ['nothing', "Kim's sister Ana lives in Porto.", "Kim's sister Ana lives in Porto."],
    ['punctuation', 'On Monday, Anna called Ben.', 'On Monday Anna called Ben!'],
    ['quotation marks', 'Anna read “Emma” twice.', 'Anna read "Emma" twice'],
    ['the case of the first word', 'Tea is green.', 'tea is green.'],
    ['spaces and line breaks', 'Anna called\n Ben.', 'Anna called Ben.'],
    ['which article it is', 'Ben bought a bike and an apple.', 'Ben bought the bike and the apple.'],
    ['the kind of quotation marks', 'Ana is in “room 5”.', 'Ana is in "room 5".'],
    ['the article at the beginning', 'A dog barked all night.', 'The dog barked all night.'],
    ['a filler', "Kim's sister Ana lives in Porto.", "Kim's sister Ana actually lives in Porto."],
    ['contractions', "I don't think they're late, it’s early.", 'I do not think they are late, it is early.'],
    ['the way to write cannot', 'Ben cannot swim.', "Ben can't swim."],
    ['a hyphen', 'Ana has a well-known full-time job.', 'Ana has a well known full time job.'],
    ['the character of a minus', 'It was −5 degrees.', 'It was -5 degrees.'],
    ['the form of an emoji', 'Anna answered ❤️', 'Anna answered ❤'],
    ['the composition of letters', 'Anna likes caf\u00e9s.', 'Anna likes cafe\u0301s.'],
    ['punctuation of another script', '我昨天去了北京。', '我昨天去了北京'],
  ])('%s', (_, left, right) => {
    expect(statementOf(left)).toBe(statementOf(right));
  });
});

describe('two texts state different things if they differ in', () => {
  test.each([
    ['a sign', 'Temperature is -5.', 'Temperature is 5.'],
    ['a sign before a currency', 'The balance is -$250.', 'The balance is $250.'],
    ['a sign after a space', 'Temperature: - 5 degrees', 'Temperature: 5 degrees'],
    ['a sign that is a plus', 'The change is +3.', 'The change is 3.'],
    ['a sign at the end', 'The blood group is 0+.', 'The blood group is 0-.'],
    ['the sign of a grade', 'Ana got an A- in maths.', 'Ana got an A in maths.'],
    ['a currency', 'Ben paid 5€.', 'Ben paid 5$.'],
    ['a percent sign', 'The fee is 5%.', 'The fee is 5.'],
    ['a separator in a number', 'He ate 1/2 of it.', 'He ate 1.2 of it.'],
    ['feet and inches', `The shelf is 5' long.`, `The shelf is 5" long.`],
    ['a comparison', 'x > y', 'x < y'],
    ['an equality', 'x != y', 'x = y'],
    ['a hash', 'I use C#.', 'I use C.'],
    ['an emoji', 'I feel 🙂', 'I feel 😡'],
    ['emoji alone', '👍', '👎'],
    ['an emoticon', 'That film :)', 'That film :('],
    ['punctuation alone', '...', '!!!'],
    ['a preposition', 'Take the pills before breakfast.', 'Take the pills after breakfast.'],
    ['a pronoun', 'I paid for dinner.', 'You paid for dinner.'],
    ['the order of pronouns', 'He lent her the car.', 'She lent him the car.'],
    ['the order of names', 'Ben likes Ana.', 'Ana likes Ben.'],
    ['a quantifier', 'Most of the team agrees.', 'Few of the team agrees.'],
    ['an article that counts', 'A few of them agree.', 'Few of them agree.'],
    ['an article before a name', 'Ana le gusta a Ben.', 'A Ana le gusta Ben.'],
    ['a letter of a list', 'Answers a and c are right.', 'Answers and c are right.'],
    ['the case of a word', 'Ich habe Sie gesehen.', 'Ich habe sie gesehen.'],
    ['the case of a unit', 'It loads 10 MB/s.', 'It loads 10 Mb/s.'],
    ['a decimal point at the beginning', 'The dose is .5 mg.', 'The dose is 5 mg.'],
    ['a sign before a unit', 'The balance is -EUR 250.', 'The balance is EUR 250.'],
    ['a sign before a symbol', 'The balance is -€ 250.', 'The balance is € 250.'],
    ['a sign before a letter', 'The slope is -x.', 'The slope is x.'],
    ['an option', 'Run rm -rf.', 'Run rm rf.'],
    ['a negation in code', 'Rejects when (!user.active)', 'Rejects when (user.active)'],
    ['an operator', 'x - y', 'x * y'],
    ['another emoticon', 'That film =)', 'That film =('],
    ['an exponent', 'There are 10² users.', 'There are 102 users.'],
    ['a Greek question mark', 'Ζει η Άννα στο Πόρτο;', 'Ζει η Άννα στο Πόρτο.'],
    ['a letter that is a name', 'Platform A is closed.', 'Platform is closed.'],
    ['a negation', 'Ben does swim.', "Ben doesn't swim."],
    ['the tense', 'Ana lives in Porto.', 'Ana lived in Porto.'],
    ['an auxiliary verb', 'Ana is ill.', 'Ana was ill.'],
    ['a word more', 'Ana sold the house.', 'Ana almost sold the house.'],
    ['a question mark', 'Ana lives in Porto.', 'Ana lives in Porto?'],
    ['a word of a script without spaces', '我昨天去了北京', '他昨天去了北京'],
    ['a word of another language', 'Sie fährt mit dem Auto.', 'Sie fährt ohne das Auto.'],
  ])('%s', (_, left, right) => {
    expect(statementOf(left)).not.toBe(statementOf(right));
  });
});
