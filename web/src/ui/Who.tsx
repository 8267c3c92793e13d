import type { Actor } from '../api/types';

/** Who did something. */
export function Who({ actor }: { actor: Actor }) {
  switch (actor.kind) {
    case 'user':
      return <span className="who">{actor.name ?? 'a user'}</span>;
    case 'agent':
      return <span className="who">{actor.name ?? 'an agent'} (agent)</span>;
    case 'system':
      return <span className="who">Forge ({actor.component})</span>;
  }
}
