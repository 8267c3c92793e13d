import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';

import { projectsQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { PageHeader } from '../../app/layout/PageHeader';
import { openOverlay } from '../../app/overlayStore';
import { useTitle } from '../../app/title';
import { Button } from '../../ui/Button';
import { ButtonLink } from '../../ui/ButtonLink';
import { EmptyState } from '../../ui/EmptyState';
import { Kbd } from '../../ui/Kbd';
import { Loaded } from '../../ui/Loaded';
import { PHONE, useMedia } from '../../ui/media';
import { FailureNotice } from '../../ui/Notice';
import { Skeleton } from '../../ui/Skeleton';
import { InboxGroup } from './InboxGroup';
import styles from './InboxPage.module.css';
import { InboxPreview } from './InboxPreview';
import { NeedsYouRow } from './NeedsYouRow';
import { stableOrder } from './stableOrder';
import { useInbox } from './useInbox';
import { useInboxSelection } from './useInboxSelection';

/** The start page: what needs the user over all projects, what runs, what is next and what landed today. */
export function InboxPage() {
  const projects = useQuery(projectsQuery());
  useTitle('Inbox');
  return (
    <Loaded what="the inbox" query={projects}>
      {(list) => (list.length === 0 ? <Navigate to="/setup" replace /> : <Inbox projects={list} />)}
    </Loaded>
  );
}

function Inbox({ projects }: { projects: readonly Project[] }) {
  const inbox = useInbox(projects);
  const isPhone = useMedia(PHONE);
  const selection = useInboxSelection(inbox.needsYou);
  const needsYou = stableOrder(selection.order, inbox.needsYou, ({ task_id }) => task_id);
  const selected = needsYou.find(({ task_id }) => task_id === selection.selected) ?? needsYou[0];
  const isQuiet = needsYou.length === 0 && !inbox.isLoading;
  return (
    <>
      <PageHeader title="Inbox" note="All projects">
        {isPhone ? null : (
          <>
            <span className={styles.hint}>
              Next <Kbd keys="J" /> Open <Kbd keys="↵" />
            </span>
            <Button icon={Plus} hotkey="C" onClick={() => openOverlay({ kind: 'new-task' })}>
              New task
            </Button>
          </>
        )}
      </PageHeader>
      <div className={styles.body}>
        <div className={styles.list}>
          <FailureNotice failure={inbox.failure} />
          {inbox.isLoading ? <Skeleton what="the inbox" /> : null}
          {isQuiet ? <QuietInbox working={inbox.working.length} project={projects[0]} /> : null}
          {needsYou.length === 0 ? null : (
            <InboxGroup title="Needs you" rows={needsYou} shownAtFirst={needsYou.length}>
              {(item) => (
                <NeedsYouRow
                  key={item.task_id}
                  item={item}
                  isSelected={!isPhone && item.task_id === selected?.task_id}
                  onSelect={() => selection.select(item.task_id)}
                />
              )}
            </InboxGroup>
          )}
          <InboxGroup.OfTasks title="Working" tasks={inbox.working} shownAtFirst={12} />
          <InboxGroup.OfTasks title="Queued" tasks={inbox.queued} shownAtFirst={5} />
          <InboxGroup.OfTasks title="Landed today" tasks={inbox.landedToday} shownAtFirst={5} />
        </div>
        {isPhone || selected === undefined ? null : (
          <aside className={styles.preview} aria-label="Preview">
            <InboxPreview key={selected.task_id} item={selected} />
          </aside>
        )}
      </div>
    </>
  );
}

function QuietInbox({ working, project }: { working: number; project: Project | undefined }) {
  const tasks = working === 1 ? '1 task is working.' : `${working} tasks are working.`;
  return (
    <EmptyState
      title={`Nothing needs you. ${working === 0 ? 'No task is working.' : tasks}`}
      actions={
        project === undefined ? null : (
          <ButtonLink to="/projects/$project" params={{ project: project.slug }}>
            Open board
          </ButtonLink>
        )
      }
    />
  );
}
