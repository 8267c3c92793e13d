import type { Token } from '../../api/types';
import { Tag } from '../../ui/Badge';
import { RelativeTime } from '../../ui/RelativeTime';
import { humanize } from '../../ui/words';
import { RevokeToken } from './RevokeToken';
import styles from './Tokens.module.css';
import type { Standing } from './tokens';

interface TokenItemProps {
  token: Token;
  standing: Standing;
  onRevoked: (token: Token) => void;
}

/** One token: its name, scope and use. */
export function TokenItem({ token, standing, onRevoked }: TokenItemProps) {
  return (
    <li className={styles.token}>
      <div className={styles.facts}>
        <strong>{token.name}</strong>
        {token.scope === 'full' ? null : <Tag>{humanize(token.scope)}</Tag>}
        {standing === 'works' ? null : <Tag>{humanize(standing)}</Tag>}
        <span className={styles.note}>
          made <RelativeTime at={token.created_at} form="long" />
        </span>
        <span className={styles.note}>
          {token.last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <RelativeTime at={token.last_used_at} form="long" />
            </>
          )}
        </span>
        {token.expires_at === null ? null : (
          <span className={styles.note}>ends {new Date(token.expires_at).toLocaleDateString()}</span>
        )}
      </div>
      {standing === 'works' ? <RevokeToken token={token} onRevoked={() => onRevoked(token)} /> : null}
    </li>
  );
}
