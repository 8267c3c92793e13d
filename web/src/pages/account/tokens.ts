import type { NewToken, Token } from '../../api/types';
import { joinCommand } from '../agents/commandLine';

/** Where the command line looks for the server unless it is told. */
const USUAL_SERVER = 'http://127.0.0.1:8080';

export type NewTokenRequest = { problem: string } | { problem: null; token: NewToken };

/** The request for a token of that name, or what is wrong with the name. */
export function newTokenRequest(written: string): NewTokenRequest {
  const name = written.trim();
  if (name === '') {
    return { problem: 'Write what the token is for.' };
  }
  return name.startsWith('-') ? { problem: 'A name cannot begin with `-`.' } : { problem: null, token: { name } };
}

export type Standing = 'works' | 'expired' | 'revoked';

/** Whether a token opens anything at that moment. */
export function standingOf(token: Pick<Token, 'revoked_at' | 'expires_at'>, now: Date): Standing {
  if (token.revoked_at !== null) {
    return 'revoked';
  }
  return token.expires_at !== null && Date.parse(token.expires_at) <= now.getTime() ? 'expired' : 'works';
}

/** A token and whether it works. */
export interface Judged {
  token: Token;
  standing: Standing;
}

/** The tokens that work and those that no longer do, each with the newest first. */
export function sortTokens(tokens: readonly Token[], now: Date): { working: Judged[]; past: Judged[] } {
  const judged = tokens.map((token) => ({ token, standing: standingOf(token, now) })).reverse();
  return {
    working: judged.filter(({ standing }) => standing === 'works'),
    past: judged.filter(({ standing }) => standing !== 'works'),
  };
}

/** The line to type in a terminal for the server at that address; it then asks for the token. */
export function loginLine(origin: string): string {
  return joinCommand(['forge', 'login', ...(origin === USUAL_SERVER ? [] : ['--url', origin])]);
}
