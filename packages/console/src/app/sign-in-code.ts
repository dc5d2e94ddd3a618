/** The code of the sign-in link that this page was opened by. It leaves the address, and so the history, at once. */
export const signInCode = takeCode();

function takeCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined;
  if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return code;
}
