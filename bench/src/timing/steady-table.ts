import type { SteadyFigures } from './steady-requests.ts';

/** A table of requests that came at a steady rate. @param title what the requests were, for the head of the first column */
export function steadyTable(
  title: string,
  rows: readonly (readonly [name: string, figures: SteadyFigures])[],
): string[] {
  return [
    `| ${title} | answered | p50 ms | p95 ms | longest ms | failed |`,
    '|---|---|---|---|---|---|',
    ...rows.map(([name, { p50Ms, p95Ms, maxMs, refused, requests }]) => {
      const cells = [name, requests, p50Ms.toFixed(1), p95Ms.toFixed(1), maxMs.toFixed(1), refused];
      return `| ${cells.join(' | ')} |`;
    }),
  ];
}
