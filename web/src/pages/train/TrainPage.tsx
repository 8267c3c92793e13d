import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pause, Play } from 'lucide-react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { trainQuery } from '../../api/queries';
import type { Project, Train } from '../../api/types';
import { PageHeader } from '../../app/layout/PageHeader';
import { useProject } from '../../app/layout/ProjectRoute';
import { useTitle } from '../../app/title';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { GroupHeading } from '../../ui/GroupHeading';
import { Loaded } from '../../ui/Loaded';
import { Notice } from '../../ui/Notice';
import { TableRow, TableRowLink } from '../../ui/TableRow';
import { showToast } from '../../ui/toastStore';
import { CheckRecords } from './CheckRecords';
import { ENTRY_LOOKS } from './entryLooks';
import { Landings } from './Landings';
import styles from './TrainPage.module.css';

/** What lands next, and what is known of it (M-13). */
export function TrainPage() {
  const project = useProject();
  const trains = useQuery(trainQuery(project.id));
  const isPaused = project.settings.merge?.paused === true;
  useTitle(`${project.name} train`);
  return (
    <>
      <PageHeader title="Train" project={project}>
        <PauseTrain project={project} isPaused={isPaused} />
      </PageHeader>
      <div className={styles.scroll}>
        {isPaused ? (
          <div className={styles.notice}>
            <Notice tone="warning">The train is paused: nothing lands until it is resumed.</Notice>
          </div>
        ) : null}
        <Loaded what="the train" query={trains}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title="The train is empty. Approved tasks line up here." />
            ) : (
              list.map((train) => (
                <TrainOfTarget key={`${train.node ?? ''} ${train.target}`} train={train} project={project} />
              ))
            )
          }
        </Loaded>
        <Landings project={project} />
        <CheckRecords project={project} />
      </div>
    </>
  );
}

function PauseTrain({ project, isPaused }: { project: Project; isPaused: boolean }) {
  const cache = useQueryClient();
  const toggle = useMutation({
    mutationFn: () => (isPaused ? commands.resumeTrain(project.id) : commands.pauseTrain(project.id)),
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: keys.projects() }),
        cache.invalidateQueries({ queryKey: keys.train(project.id) }),
      ]),
  });
  return (
    <Button icon={isPaused ? Play : Pause} busy={toggle.isPending} onClick={() => toggle.mutate()}>
      {isPaused ? 'Resume train' : 'Pause train'}
    </Button>
  );
}

function TrainOfTarget({ train, project }: { train: Train; project: Project }) {
  const note = train.node === null ? `up to ${train.window ?? 1} tested at once` : `run by server ${train.node}`;
  return (
    <section aria-label={`Landing on ${train.target}`}>
      <GroupHeading title={train.target} count={`${train.entries.length} · ${note}`} />
      <ol>
        {train.entries.map((entry) => {
          const look = ENTRY_LOOKS[entry.state];
          const badge = <Badge meaning={look.meaning}>{look.word}</Badge>;
          return (
            <li key={entry.task_id}>
              {entry.key === null ? (
                <TableRow>
                  <span className={styles.title}>A task of another project</span>
                  {badge}
                </TableRow>
              ) : (
                <TableRowLink
                  to="/projects/$project/$taskKey"
                  params={{ project: project.slug, taskKey: entry.key }}
                  title={look.explanation}
                >
                  <span className={styles.key}>{entry.key}</span>
                  <span className={styles.title}>{entry.title}</span>
                  {badge}
                </TableRowLink>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
