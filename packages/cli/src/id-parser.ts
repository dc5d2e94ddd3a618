import { userIdPattern } from '@mneme/contracts';
import { InvalidArgumentError } from 'commander';

/**
 * Reads an id: a whole number greater than 0, of 15 digits at most.
 * @param advice what is said of another text
 */
export function idParser(advice: string): (text: string) => number {
  return (text) => {
    if (userIdPattern.test(text)) return Number(text);
    throw new InvalidArgumentError(advice);
  };
}
