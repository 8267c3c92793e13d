import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { commands } from '../api/commands';
import { keys } from '../api/keys';
import { meQuery } from '../api/queries';
import type { Me } from '../api/types';
import { redirect } from './router';
import { to } from './routes';

export type Session =
  | { state: 'unknown' }
  | { state: 'unreachable'; failure: Error; retry: () => void }
  | { state: 'nobody' }
  | { state: 'somebody'; me: Me };

/** Who is signed in. */
export function useSession(): Session {
  const { data, error, refetch } = useQuery(meQuery());
  if (data === null) {
    return { state: 'nobody' };
  }
  if (data !== undefined) {
    return { state: 'somebody', me: data };
  }
  if (error !== null) {
    return { state: 'unreachable', failure: error, retry: () => void refetch() };
  }
  return { state: 'unknown' };
}

/** Signs in in one of the ways; everything is asked for anew, as somebody else sees other things. */
export function useSignIn<Proof>(prove: (proof: Proof) => Promise<unknown>, onSignedIn?: (proof: Proof) => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: prove,
    // What proves who somebody is stays in memory no longer than its form.
    gcTime: 0,
    onSuccess: async (_, proof) => {
      cache.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.me()[0] });
      await cache.resetQueries({ queryKey: keys.me() });
      onSignedIn?.(proof);
    },
  });
}

/** Ends the session and forgets what it saw. */
export function useSignOut() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: commands.logout,
    onSuccess: () => {
      redirect(to.home());
      cache.setQueryData(meQuery().queryKey, null);
      cache.removeQueries({ predicate: (query) => query.queryKey[0] !== keys.me()[0] });
    },
  });
}

/** The name to show for who is signed in. */
export function nameOf(me: Me): string {
  return me.user?.name ?? 'agent';
}
