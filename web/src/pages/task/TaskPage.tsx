import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatchRoute, useParams } from '@tanstack/react-router';
import { useState } from 'react';

import { taskByNumberQuery, taskQuery, workflowQuery } from '../../api/queries';
import { useProject } from '../../app/layout/ProjectRoute';
import { NotFoundPage } from '../../app/NotFoundPage';
import { useTitle } from '../../app/title';
import { useSituations } from '../../task/useSituations';
import { Loaded } from '../../ui/Loaded';
import { NARROW, PHONE, useMedia } from '../../ui/media';
import { FactsPanel } from './FactsPanel';
import { PhoneTaskFrame } from './PhoneTaskFrame';
import { TaskHeader } from './TaskHeader';
import styles from './TaskPage.module.css';
import { TaskTabs } from './TaskTabs';
import { TabToolsProvider } from './tabTools';
import { type TaskPageData, TaskPageProvider } from './taskContext';
import { useTaskHotkeys } from './useTaskHotkeys';

const KEY = /^T-(\d{1,9})$/i;

/** A task, found by the key in its address. */
export function TaskPage() {
  const { taskKey } = useParams({ from: '/projects/$project/$taskKey' });
  const number = KEY.exec(taskKey)?.[1];
  return number === undefined ? <NotFoundPage /> : <NumberedTask number={number} />;
}

function NumberedTask({ number }: { number: string }) {
  const project = useProject();
  const id = useQuery(taskByNumberQuery(project.id, number));
  return (
    <Loaded what="the task" query={id}>
      {(found) => <LoadedTask key={found} id={found} />}
    </Loaded>
  );
}

function LoadedTask({ id }: { id: string }) {
  const project = useProject();
  const task = useQuery(taskQuery(id));
  const workflow = useQuery(workflowQuery(project.id));
  const situate = useSituations(project.id, workflow.data);
  useTitle(task.data === undefined ? undefined : `${task.data.key} ${task.data.title}`);
  return (
    <Loaded what="the task" query={task}>
      {(shown) => <TaskFrame data={{ task: shown, project, workflow: workflow.data, situated: situate(shown) }} />}
    </Loaded>
  );
}

function TaskFrame({ data }: { data: TaskPageData }) {
  const isPhone = useMedia(PHONE);
  const isNarrow = useMedia(NARROW);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [areFactsOpen, setFactsOpen] = useState(false);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const matches = useMatchRoute();
  const isDiff =
    matches({ to: '/projects/$project/$taskKey/diff' }) !== false ||
    matches({ to: '/projects/$project/$taskKey/journal' }) !== false;
  // Where a diff or the screen needs the width, the facts open on request.
  const isWide = !isNarrow && !isDiff;
  useTaskHotkeys(data, { openMenu: () => setMenuOpen(true), toggleFacts: () => setFactsOpen(!areFactsOpen) });
  return (
    <TaskPageProvider value={data}>
      <TabToolsProvider value={tools}>
        {isPhone ? (
          <PhoneTaskFrame toolsRef={setTools}>
            <Outlet />
          </PhoneTaskFrame>
        ) : (
          <>
            <TaskHeader areActionsShown={!isWide && !areFactsOpen} {...{ isMenuOpen, setMenuOpen }} />
            <div className={styles.body}>
              <div className={styles.content}>
                <TaskTabs toolsRef={setTools} />
                <div className={styles.tab}>
                  <Outlet />
                </div>
              </div>
              {isWide || areFactsOpen ? (
                <aside className={styles.facts} aria-label="Facts">
                  <FactsPanel {...{ isMenuOpen, setMenuOpen }} />
                </aside>
              ) : null}
            </div>
          </>
        )}
      </TabToolsProvider>
    </TaskPageProvider>
  );
}
