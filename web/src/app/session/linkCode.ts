const PARAMETER = 'code';

/** The one-time code in a sign-in link's fragment, which browsers never send to a server. */
export function codeInFragment(fragment: string): string | null {
  const code = new URLSearchParams(fragment.replace(/^#/, '')).get(PARAMETER);
  return code === null || code === '' ? null : code;
}

/** Takes the code out of the address bar and the history before anything else can see it there. */
export function takeLinkCode(): string | null {
  const code = codeInFragment(window.location.hash);
  if (code !== null) {
    window.history.replaceState(null, '', window.location.pathname);
  }
  return code;
}
