import { useQuery } from '@tanstack/react-query';

import { PHASES } from '../../api/phases';
import { firstTasksQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { GroupHeading } from '../../ui/GroupHeading';
import { RelativeTime } from '../../ui/RelativeTime';
import { TableRowLink } from '../../ui/TableRow';
import { shortCommit } from '../../ui/words';
import styles from './TrainPage.module.css';

const SHOWN = 15;

/** What landed last, with the commit and the time. */
export function Landings({ project }: { project: Project }) {
  const finished = useQuery(firstTasksQuery(project.id, PHASES[4]));
  const landed = (finished.data?.items ?? [])
    .flatMap(({ id, key, title, landing }) => (landing === null ? [] : [{ id, key, title, landing }]))
    .toSorted((one, other) => other.landing.at.localeCompare(one.landing.at))
    .slice(0, SHOWN);
  return landed.length === 0 ? null : (
    <section aria-label="Landings">
      <GroupHeading title="Landings" count={landed.length === SHOWN ? `last ${SHOWN}` : landed.length} />
      <ol>
        {landed.map(({ id, key, title, landing }) => (
          <li key={id}>
            <TableRowLink to="/projects/$project/$taskKey" params={{ project: project.slug, taskKey: key }}>
              <span className={styles.key}>{key}</span>
              <span className={styles.title}>{title}</span>
              <code>{landing.commit === null ? 'nothing to merge' : shortCommit(landing.commit)}</code>
              <span className={styles.age}>
                <RelativeTime at={landing.at} />
              </span>
            </TableRowLink>
          </li>
        ))}
      </ol>
    </section>
  );
}
