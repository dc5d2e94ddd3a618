/**
 * Takes the code of the sign-in link that this page was opened by, and of each one that is opened in it. It leaves the
 * address, and so the history, at once.
 * @returns ends it
 */
export function takeSignInCodes(use: (code: string) => void): () => void {
  const take = () => {
    const code = new URLSearchParams(location.hash.slice(1)).get('code');
    if (code === null) return;
    history.replaceState(history.state, '', location.pathname + location.search);
    use(code);
  };
  take();
  addEventListener('hashchange', take);
  return () => removeEventListener('hashchange', take);
}
