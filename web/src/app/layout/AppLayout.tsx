import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { NARROW, PHONE, useMedia } from '../../ui/media';
import { Toaster } from '../../ui/Toaster';
import { listenForHotkeys } from '../hotkeys/hotkeyStore';
import { useEventStream } from '../live';
import { Overlays } from '../Overlays';
import styles from './AppLayout.module.css';
import { BottomBar } from './BottomBar';
import { OfflineBar } from './OfflineBar';
import { Sidebar } from './Sidebar';
import { useGlobalHotkeys } from './useGlobalHotkeys';
import { useNeedsYouTitle } from './useNeedsYouTitle';

/** The frame of every page: navigation beside the sheet, and what lies over both. */
export function AppLayout() {
  useEventStream();
  useNeedsYouTitle();
  useGlobalHotkeys();
  useEffect(listenForHotkeys, []);
  const isPhone = useMedia(PHONE);
  const isNarrow = useMedia(NARROW);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const sheet = useFocusOnNavigation(path);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      {isPhone ? null : <Sidebar isRail={isNarrow || path.endsWith('/diff')} />}
      <div className={styles.column}>
        <OfflineBar />
        <main id="content" className={styles.sheet} tabIndex={-1} ref={sheet}>
          <Outlet />
        </main>
      </div>
      {isPhone ? <BottomBar /> : null}
      <Overlays />
      <Toaster />
    </div>
  );
}

/** As after loading a page: the keyboard and screen readers begin at its content. */
function useFocusOnNavigation(path: string) {
  const sheet = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current !== path) {
      last.current = path;
      sheet.current?.focus({ preventScroll: true });
    }
  }, [path]);
  return sheet;
}
