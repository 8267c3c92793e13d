import type { UseLink } from '../../api/types';

/** The server accepts no shorter password. */
export const SHORTEST_PASSWORD = 8;

/** What is written in the form. */
export interface FirstSignInFields {
  name: string;
  password: string;
  again: string;
}

export interface FirstSignInProblems {
  name?: string;
  password?: string;
  again?: string;
}

export type FirstSignIn = { problems: FirstSignInProblems } | { problems: null; link: UseLink };

/** The use of the link that makes an admin with a password, or what is wrong with the form. */
export function signInWithPassword(code: string, { name, password, again }: FirstSignInFields): FirstSignIn {
  const problems: FirstSignInProblems = nameProblems(name);
  // Whole characters, as the server counts them.
  if ([...password].length < SHORTEST_PASSWORD) {
    problems.password = `Write at least ${SHORTEST_PASSWORD} characters.`;
  } else if (password !== again) {
    problems.again = 'This is not the same password. Write it once more.';
  }
  return found(problems, { code, ...named(name), password });
}

/** The use of the link that makes an admin without a password; what was written of one does not count. */
export function signInWithoutPassword(code: string, { name }: FirstSignInFields): FirstSignIn {
  return found(nameProblems(name), { code, ...named(name) });
}

function found(problems: FirstSignInProblems, link: UseLink): FirstSignIn {
  return Object.keys(problems).length > 0 ? { problems } : { problems: null, link };
}

function nameProblems(name: string): FirstSignInProblems {
  return name.trim().startsWith('-') ? { name: 'A name cannot begin with `-`.' } : {};
}

/** Left out, the server chooses the name. */
function named(name: string): Pick<UseLink, 'name'> {
  const written = name.trim();
  return written === '' ? {} : { name: written };
}
