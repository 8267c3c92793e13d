import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Token } from '../../api/types';
import { Button } from '../../ui/Button';
import { FailureNotice } from '../../ui/Notice';

/** Revokes a token, once the person said that they mean it. */
export function RevokeToken({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const cache = useQueryClient();
  const [asking, setAsking] = useState<'not yet' | 'now' | 'declined'>('not yet');
  const revoke = useMutation({
    mutationFn: () => commands.revokeToken(token.id),
    onSuccess: () => {
      onRevoked();
      return cache.invalidateQueries({ queryKey: keys.tokens() });
    },
  });
  if (asking !== 'now') {
    return (
      // Who declined comes back to where they were.
      <Button autoFocus={asking === 'declined'} aria-label={`Revoke ${token.name}`} onClick={() => setAsking('now')}>
        Revoke
      </Button>
    );
  }
  return (
    <div className="revoke" role="group" aria-label={`Revoke ${token.name}?`}>
      <span>What uses it is locked out at once.</span>
      <Button autoFocus disabled={revoke.isPending} onClick={() => setAsking('declined')}>
        Keep it
      </Button>
      <Button primary busy={revoke.isPending} onClick={() => revoke.mutate()}>
        Revoke it
      </Button>
      <FailureNotice failure={revoke.error} />
    </div>
  );
}
