import { expect, test } from 'vitest';
import { whileVisible } from './while-visible.ts';

test('what needs a connection goes on while the page is seen only', () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const show = (isShown: boolean) => {
    page.hidden = !isShown;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const log: string[] = [];
  const end = whileVisible(page, () => {
    log.push('start');
    return () => log.push('stop');
  });
  for (const isShown of [true, false, false, true]) show(isShown);
  end();
  for (const isShown of [false, true]) show(isShown);
  expect(log).toEqual(['start', 'stop', 'start', 'stop']);
});
