import { Link, useParams } from '@tanstack/react-router';
import { Plus, Search } from 'lucide-react';

import { classNames } from '../../ui/classNames';
import { IconButton } from '../../ui/IconButton';
import { Mark } from '../../ui/Mark';
import { useLive } from '../live';
import { openOverlay } from '../overlayStore';
import { AccountMenu } from './AccountMenu';
import { MainNavigation } from './MainNavigation';
import { ProjectNavigation } from './ProjectNavigation';
import styles from './Sidebar.module.css';

/** The navigation: as a column, or as a rail of icons where the page needs the width. */
export function Sidebar({ isRail }: { isRail: boolean }) {
  const { project } = useParams({ strict: false });
  const { stream } = useLive();
  const isLive = stream === 'live';
  const search = (
    <IconButton icon={Search} label="Search" hotkey="Ctrl K" onClick={() => openOverlay({ kind: 'palette' })} />
  );
  return (
    <aside className={classNames(styles.sidebar, isRail && styles.rail)} aria-label="Navigation">
      <div className={styles.brand}>
        <Link to="/" className={styles.name} aria-label="Forge, inbox">
          <Mark />
          {isRail ? null : 'Forge'}
        </Link>
        {isRail ? null : (
          <>
            {search}
            <IconButton
              icon={Plus}
              label="New task"
              hotkey="C"
              look="secondary"
              size="small"
              onClick={() => openOverlay({ kind: 'new-task', project })}
            />
          </>
        )}
      </div>
      <div className={styles.scroll}>
        <MainNavigation isRail={isRail} />
        <ProjectNavigation isRail={isRail} />
      </div>
      <div className={styles.foot}>
        {isRail ? search : null}
        <AccountMenu isRail={isRail} />
        <span className={styles.live} role="status">
          <span className={classNames(styles.dot, isLive && styles.isLive)} />
          <span className={isRail ? 'visually-hidden' : undefined}>{isLive ? 'Live' : 'Connecting'}</span>
        </span>
      </div>
    </aside>
  );
}
