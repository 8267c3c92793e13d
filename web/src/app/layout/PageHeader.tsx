import { Link } from '@tanstack/react-router';
import { ChevronRight, Ellipsis, FolderGit2, Search } from 'lucide-react';
import type { ReactNode } from 'react';

import type { Project } from '../../api/types';
import { Icon } from '../../ui/Icon';
import { IconButton } from '../../ui/IconButton';
import { Menu } from '../../ui/Menu';
import { PHONE, useMedia } from '../../ui/media';
import type { MenuEntry } from '../../ui/menuEntries';
import { openOverlay } from '../overlayStore';
import { useAccountEntries } from './AccountMenu';
import styles from './PageHeader.module.css';

interface PageHeaderProps {
  title: string;
  /** The project that the page belongs to. */
  project?: Project;
  note?: ReactNode;
  /** What the page's own menu offers. */
  menu?: { label: string; entries: readonly MenuEntry[] };
  /** Buttons at the right; at most one is primary. */
  children?: ReactNode;
}

/** The first line of a page: where it is and what can be done there. */
export function PageHeader({ title, project, note, menu, children }: PageHeaderProps) {
  const isPhone = useMedia(PHONE);
  return (
    <header className={styles.header}>
      <div className={styles.place}>
        {project === undefined ? null : (
          <>
            <Link to="/projects/$project" params={{ project: project.slug }} className={styles.project}>
              <Icon icon={FolderGit2} />
              {project.name}
            </Link>
            <Icon icon={ChevronRight} size={14} className={styles.arrow} />
          </>
        )}
        <h1 className={styles.title}>{title}</h1>
        {note === undefined || isPhone ? null : <span className={styles.note}>{note}</span>}
      </div>
      <div className={styles.actions}>
        {children}
        {isPhone ? (
          <PhoneMenu entries={menu?.entries ?? []} />
        ) : menu === undefined ? null : (
          <Menu label={menu.label} entries={menu.entries} trigger={<IconButton icon={Ellipsis} label={menu.label} />} />
        )}
      </div>
    </header>
  );
}

/** What the sidebar offers on larger screens. */
function PhoneMenu({ entries }: { entries: readonly MenuEntry[] }) {
  const account = useAccountEntries();
  const line: MenuEntry[] = entries.length === 0 ? [] : [{ kind: 'line', id: 'page' }];
  return (
    <>
      <IconButton icon={Search} label="Search" onClick={() => openOverlay({ kind: 'palette' })} />
      <Menu
        label="Menu"
        entries={[...entries, ...line, ...account]}
        trigger={<IconButton icon={Ellipsis} label="Menu" />}
      />
    </>
  );
}
