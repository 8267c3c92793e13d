import type { Actor } from '../api/types';

/** The user, agent or part of the server that did something. */
export function ActorName({ actor }: { actor: Actor }) {
  switch (actor.kind) {
    case 'user':
      return <span>{actor.name ?? 'a user'}</span>;
    case 'agent':
      return <span>{actor.name ?? 'an agent'}</span>;
    case 'system':
      return <span>Forge</span>;
  }
}
