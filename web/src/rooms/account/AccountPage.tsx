import { useQuery } from '@tanstack/react-query';

import { tokensQuery } from '../../api/queries';
import type { Me } from '../../api/types';
import { useParameter } from '../../app/router';
import { nameOf } from '../../app/session';
import { useTitle } from '../../app/title';
import { Answered } from '../../ui/Answered';
import { Badge } from '../../ui/Badge';
import { Tokens } from './Tokens';
import './account.css';

/** Who one is here, and the tokens that stand for oneself elsewhere. */
export function AccountPage({ me }: { me: Me }) {
  const tokens = useQuery(tokensQuery());
  const withoutPassword = useParameter('without') === 'password';
  useTitle('Your account');
  return (
    <div className="page account">
      <h1>{nameOf(me)}</h1>
      {me.user?.role === 'admin' ? <Badge>Admin</Badge> : null}
      <section aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        <p className="lead">A token signs in the command line and programs as you, until you revoke it.</p>
        <Answered what="your tokens" query={tokens}>
          {(list) => <Tokens list={list} withoutPassword={withoutPassword} />}
        </Answered>
      </section>
    </div>
  );
}
