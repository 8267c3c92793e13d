import { useMutation, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Token } from '../../api/types';
import { Notice } from '../../ui/Notice';
import { NewTokenForm } from './NewTokenForm';
import { Secret } from './Secret';
import { TokenItem } from './TokenItem';
import styles from './Tokens.module.css';
import { sortTokens } from './tokens';

/** The user's tokens, and a way to make one. */
export function Tokens({ list, isWithoutPassword }: { list: readonly Token[]; isWithoutPassword: boolean }) {
  const cache = useQueryClient();
  const create = useMutation({
    mutationFn: commands.createToken,
    // The secret leaves memory with the page that shows it.
    gcTime: 0,
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.tokens() }),
  });
  const { working, past } = sortTokens(list, new Date());
  const forget = (revoked: Token) => {
    if (create.data?.token.id === revoked.id) {
      create.reset();
    }
  };
  return (
    <>
      {isWithoutPassword && working.length === 0 ? (
        <Notice tone="warning" title="You have no password. Make a token before you sign out.">
          Without one there is no way back in.
        </Notice>
      ) : null}
      {create.data === undefined ? (
        <NewTokenForm
          busy={create.isPending}
          failure={create.error}
          autoFocus={isWithoutPassword}
          onSubmit={(token) => create.mutate(token)}
        />
      ) : (
        <Secret created={create.data} onDone={() => create.reset()} />
      )}
      {working.length === 0 ? null : (
        <ul className={styles.list} aria-label="Tokens">
          {working.map(({ token, standing }) => (
            <TokenItem key={token.id} token={token} standing={standing} onRevoked={forget} />
          ))}
        </ul>
      )}
      {past.length === 0 ? null : (
        <details>
          <summary className={styles.note}>{past.length} that no longer work</summary>
          <ul className={styles.list} aria-label="Tokens that no longer work">
            {past.map(({ token, standing }) => (
              <TokenItem key={token.id} token={token} standing={standing} onRevoked={forget} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
