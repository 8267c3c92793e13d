import { useQuery } from '@tanstack/react-query';
import { Bot, Inbox, Server } from 'lucide-react';

import { agentsCheckQuery, agentsQuery, needsPersonQuery } from '../../api/queries';
import { NavLink } from './NavLink';

/** What spans all projects. */
export function MainNavigation({ isRail }: { isRail: boolean }) {
  const needsPerson = useQuery(needsPersonQuery());
  const agents = useQuery(agentsQuery());
  const check = useQuery(agentsCheckQuery());
  const working = new Set(check.data?.running.map(({ agent_id }) => agent_id)).size;
  const total = agents.data?.length ?? 0;
  return (
    <nav aria-label="Main">
      <NavLink to="/" icon={Inbox} label="Inbox" needsYou={needsPerson.data?.length} isRail={isRail} />
      <NavLink
        to="/agents"
        icon={Bot}
        label="Agents"
        fact={total === 0 ? undefined : `${working} / ${total}`}
        isRail={isRail}
      />
      <NavLink to="/server" icon={Server} label="Server" isRail={isRail} />
    </nav>
  );
}
