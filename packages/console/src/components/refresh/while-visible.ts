/** What tells whether somebody can see a page, such as `document`. */
interface Visibility extends Pick<EventTarget, 'addEventListener' | 'removeEventListener'> {
  readonly hidden: boolean;
}

/**
 * Has something going on while a page can be seen, since browsers open few connections to one server for all pages together.
 *
 * @param start begins it @returns what ends it
 * @returns ends it for good
 */
export function whileVisible(page: Visibility, start: () => () => void): () => void {
  let stop: (() => void) | undefined;
  const follow = () => {
    if (page.hidden) {
      stop?.();
      stop = undefined;
    } else stop ??= start();
  };
  follow();
  page.addEventListener('visibilitychange', follow);
  return () => {
    page.removeEventListener('visibilitychange', follow);
    stop?.();
  };
}
