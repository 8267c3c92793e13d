import type { Token } from '../../api/types';
import { Badge } from '../../ui/Badge';
import { Time } from '../../ui/Time';
import { humanize } from '../../ui/words';
import { RevokeToken } from './RevokeToken';
import type { Standing } from './tokens';

interface TokenItemProps {
  token: Token;
  standing: Standing;
  onRevoked: (token: Token) => void;
}

/** A token as its owner knows it. */
export function TokenItem({ token, standing, onRevoked }: TokenItemProps) {
  return (
    <li>
      <div className="facts">
        <strong>{token.name}</strong>
        {token.scope === 'full' ? null : <Badge>{humanize(token.scope)}</Badge>}
        {standing === 'works' ? null : <Badge>{humanize(standing)}</Badge>}
        <span className="fine">
          made <Time at={token.created_at} />
        </span>
        <span className="fine">
          {token.last_used_at === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={token.last_used_at} />
            </>
          )}
        </span>
        {token.expires_at === null ? null : (
          <span className="fine">
            ends <Time at={token.expires_at} />
          </span>
        )}
      </div>
      {standing === 'works' ? <RevokeToken token={token} onRevoked={() => onRevoked(token)} /> : null}
    </li>
  );
}
