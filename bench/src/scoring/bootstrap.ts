import { createRandom } from './random.ts';

const resamples = 1_000;
const seed = 20_261_122;

/** A mean with its 95 % confidence interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The percentile bootstrap over the values: 1,000 resamples with replacement, the same ones for the same number of values.
 * For the difference of two methods, pass the difference of each question, which makes it the paired bootstrap.
 * @returns NaN throughout when there are no values
 */
export function estimate(values: readonly number[]): Estimate {
  const random = createRandom(seed);
  const means: number[] = [];
  for (let round = 0; round < resamples; round += 1) {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1) {
      sum += values[random() % values.length] ?? 0;
    }
    means.push(sum / values.length);
  }
  means.sort((left, right) => left - right);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, low: means[resamples * 0.025] ?? Number.NaN, high: means[resamples * 0.975 - 1] ?? Number.NaN };
}
