import { useQuery } from '@tanstack/react-query';
import { createLink, useParams } from '@tanstack/react-router';
import { Bot, Inbox, type LucideIcon, Plus, SquareKanban, TrainFront } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';

import { needsPersonQuery, projectsQuery } from '../../api/queries';
import { Icon } from '../../ui/Icon';
import { openOverlay } from '../overlayStore';
import styles from './BottomBar.module.css';

interface EntryProps extends ComponentPropsWithRef<'a'> {
  icon: LucideIcon;
  label: string;
  hasDot?: boolean;
}

function EntryAnchor({ icon, label, hasDot = false, className: _ofRouter, ...rest }: EntryProps) {
  return (
    <a {...rest} className={styles.entry}>
      <Icon icon={icon} size={22} />
      {hasDot ? <span className={styles.dot} /> : null}
      {label}
    </a>
  );
}

const EntryLink = createLink(EntryAnchor);

/** The navigation of a phone. Board and train are those of the open project, else of the first. */
export function BottomBar() {
  const { project: open } = useParams({ strict: false });
  const projects = useQuery(projectsQuery());
  const needsPerson = useQuery(needsPersonQuery());
  const project = open ?? projects.data?.[0]?.slug;
  return (
    <nav className={styles.bar} aria-label="Main">
      <EntryLink to="/" icon={Inbox} label="Inbox" hasDot={(needsPerson.data?.length ?? 0) > 0} />
      {project === undefined ? (
        <EntryLink to="/setup" icon={SquareKanban} label="Board" />
      ) : (
        <EntryLink
          to="/projects/$project"
          params={{ project }}
          activeOptions={{ exact: true, includeSearch: false }}
          icon={SquareKanban}
          label="Board"
        />
      )}
      <button
        type="button"
        className={styles.new}
        aria-label="New task"
        onClick={() => openOverlay({ kind: 'new-task', project: open })}
      >
        <Icon icon={Plus} size={20} />
      </button>
      {project === undefined ? (
        <EntryLink to="/setup" icon={TrainFront} label="Train" />
      ) : (
        <EntryLink to="/projects/$project/train" params={{ project }} icon={TrainFront} label="Train" />
      )}
      <EntryLink to="/agents" icon={Bot} label="Agents" />
    </nav>
  );
}
