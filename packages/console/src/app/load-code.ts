import { isWorthRepeating } from '@mneme/client';
import { lazyRouteComponent } from '@tanstack/react-router';
import { browserSession } from './client.ts';
import { noteFault } from './query-client.ts';

const pollMs = 2_000;
let answer: Promise<void> | undefined;

/**
 * A component whose code is loaded when it is needed: while the server is out of reach it waits, and if the server has
 * other code by then, the page reloads.
 */
export const lazyComponent: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadCode(load), name);

/** Resolves when the server answers. Whatever waits for it asks together. */
export function untilServerAnswers(): Promise<void> {
  answer ??= askUntilAnswered().finally(() => {
    answer = undefined;
  });
  return answer;
}

/** Loads again what failed before the server answered: a page that reloads then would become an error page of the browser. */
async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch {
    await untilServerAnswers();
    return load();
  }
}

async function askUntilAnswered(): Promise<void> {
  for (;;) {
    try {
      await browserSession.get();
      return;
    } catch (error) {
      noteFault(error);
      // A refusal is an answer too.
      if (!isWorthRepeating(error)) return;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
}
