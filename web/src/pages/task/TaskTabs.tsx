import { useQuery } from '@tanstack/react-query';
import type { ReactNode, Ref } from 'react';

import { diffQuery, journalQuery, reviewsQuery } from '../../api/queries';
import { CheckPips } from '../../ui/CheckPips';
import { Diffstat } from '../../ui/Diffstat';
import { PHONE, useMedia } from '../../ui/media';
import { TabLink, TabList } from '../../ui/Tabs';
import { checkStates, latestReview } from './checks/checkStates';
import { diffTotals } from './diff/diffTotals';
import styles from './TaskTabs.module.css';
import { useTaskPage } from './taskContext';
import { TASK_TABS, type TaskTabLabel } from './taskTabs';

/** The tabs with what is known of each already, and room for the tools of the open one. */
export function TaskTabs({ toolsRef }: { toolsRef: Ref<HTMLDivElement> }) {
  const { task, project } = useTaskPage();
  const isPhone = useMedia(PHONE);
  const facts = useTabFacts(task.id);
  const params = { project: project.slug, taskKey: task.key };
  return (
    <div className={styles.bar}>
      <TabList label="About this task">
        {TASK_TABS.map(({ to, label }) => (
          <TabLink
            key={label}
            to={to}
            params={params}
            activeOptions={{ exact: true }}
            replace
            fact={isPhone ? undefined : facts[label]}
          >
            {label}
          </TabLink>
        ))}
        {isPhone ? (
          <TabLink to="/projects/$project/$taskKey/facts" params={params} activeOptions={{ exact: true }} replace>
            Facts
          </TabLink>
        ) : null}
      </TabList>
      <div ref={toolsRef} className={styles.tools} />
    </div>
  );
}

function useTabFacts(task: string): Partial<Record<TaskTabLabel, ReactNode>> {
  const reviews = useQuery(reviewsQuery(task));
  // Both are large: they are shown once their tab has asked for them.
  const diff = useQuery({ ...diffQuery(task, 'all'), enabled: false });
  const journal = useQuery({ ...journalQuery(task), enabled: false });
  const review = latestReview(reviews.data ?? []);
  return {
    ...(diff.data === undefined ? {} : { Diff: <Diffstat {...diffTotals(diff.data.files)} /> }),
    Checks: review === undefined ? 'not run' : <CheckPips checks={checkStates(review)} />,
    ...(journal.data === undefined ? {} : { Journal: journal.data.length }),
  };
}
