import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Token } from '../../api/types';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';

/** Revokes a token after asking. */
export function RevokeToken({ token, onRevoked }: { token: Token; onRevoked: () => void }) {
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => commands.revokeToken(token.id),
    onSuccess: () => {
      onRevoked();
      return cache.invalidateQueries({ queryKey: keys.tokens() });
    },
  });
  return (
    <>
      <Button look="danger" size="small" aria-label={`Revoke ${token.name}`} onClick={() => setAsking(true)}>
        Revoke…
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={`Revoke ${token.name}?`}
          body="Programs that use it are locked out at once."
          confirmLabel="Revoke"
          busy={revoke.isPending}
          failure={revoke.error}
          onKeep={() => setAsking(false)}
          onConfirm={() => revoke.mutate()}
        />
      ) : null}
    </>
  );
}
