import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useRef } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { meQuery } from '../../api/queries';
import type { Me } from '../../api/types';

export type Session =
  | { state: 'unknown' }
  | { state: 'unreachable'; failure: Error; retry: () => void }
  | { state: 'signed-out' }
  | { state: 'signed-in'; me: Me };

/** Whether a user is signed in. */
export function useSession(): Session {
  const { data, error, refetch } = useQuery(meQuery());
  if (data === null) {
    return { state: 'signed-out' };
  }
  if (data !== undefined) {
    return { state: 'signed-in', me: data };
  }
  if (error !== null) {
    return { state: 'unreachable', failure: error, retry: () => void refetch() };
  }
  return { state: 'unknown' };
}

/** Signs in. Everything is asked for again, because another user sees other things. */
export function useSignIn<Proof>(prove: (proof: Proof) => Promise<unknown>, onSignedIn?: (proof: Proof) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: prove,
    // A password stays in memory no longer than its form.
    gcTime: 0,
    onSuccess: async (_, proof) => {
      onSignedIn?.(proof);
      forgetPages(cache);
      await cache.resetQueries({ queryKey: keys.me() });
    },
  });
}

/**
 * Ends the session. What it saw is forgotten and the address changed once the pages are gone: pages that are still
 * mounted would ask the server again, which refuses them.
 */
export function useSignOut() {
  const cache = useQueryClient();
  const hasEnded = useRef(false);
  useEffect(
    () => () => {
      if (hasEnded.current) {
        replaceAddress('/');
      }
    },
    [],
  );
  return useMutation({
    mutationFn: commands.logout,
    onSuccess: () => {
      hasEnded.current = true;
      cache.setQueryData(meQuery().queryKey, null);
    },
  });
}

/** Forgets what the signed-in user saw when the pages go away: the next user may see other things. */
export function useForgetfulCache(): void {
  const cache = useQueryClient();
  useEffect(() => () => forgetPages(cache), [cache]);
}

function forgetPages(cache: QueryClient): void {
  cache.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.me()[0] });
}

/** Changes the address while no router is mounted: before sign-in and after sign-out. */
export function replaceAddress(address: string): void {
  window.history.replaceState(null, '', address);
}

const MeContext = createContext<Me | null>(null);
export const MeProvider = MeContext.Provider;

/** The signed-in user. */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === null) {
    throw new Error('useMe is only for pages of a signed-in user');
  }
  return me;
}

/** The name to show for the signed-in user. */
export function nameOf(me: Me): string {
  return me.user?.name ?? 'agent';
}
