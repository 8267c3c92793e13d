import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { checkRecordsQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { Button } from '../../ui/Button';
import { GroupHeading } from '../../ui/GroupHeading';
import { Menu } from '../../ui/Menu';
import { RelativeTime } from '../../ui/RelativeTime';
import { TableRow } from '../../ui/TableRow';
import { showToast } from '../../ui/toastStore';
import { plural } from '../../ui/words';
import { isIgnored } from './isIgnored';
import styles from './TrainPage.module.css';

const HOUR = 3_600;
const SPANS = [
  { label: 'For an hour', seconds: HOUR },
  { label: 'For a day', seconds: 24 * HOUR },
  { label: 'For a week', seconds: 7 * 24 * HOUR },
];

/** How often each check failed on trials of the train, and a way to ignore its failures for a limited time. */
export function CheckRecords({ project }: { project: Project }) {
  const cache = useQueryClient();
  const query = checkRecordsQuery(project.id);
  const records = useQuery(query).data ?? [];
  const ignore = useMutation({
    mutationFn: ({ command, seconds }: { command: string; seconds: number }) =>
      commands.ignoreFailures(project.id, command, seconds),
    onError: (error) => showToast({ text: error.message, tone: 'failed' }),
    onSettled: () => cache.invalidateQueries({ queryKey: query.queryKey }),
  });
  const now = new Date();
  return records.length === 0 ? null : (
    <section aria-label="Checks on trials">
      <GroupHeading title="Checks on trials" count={records.length} />
      <ul>
        {records.map(({ command, runs, failures, flips, last_flip_at, quarantined_until }) => (
          <li key={command}>
            <TableRow>
              <code className={styles.title}>{command}</code>
              <span className={styles.age}>
                {failures} of {plural(runs, 'run')} failed
                {flips === 0 ? '' : `, ${flips} passed when run again`}
                {last_flip_at === null ? null : (
                  <>
                    , last <RelativeTime at={last_flip_at} form="long" />
                  </>
                )}
              </span>
              {isIgnored(quarantined_until, now) ? (
                <Button size="small" onClick={() => ignore.mutate({ command, seconds: 0 })}>
                  Count failures again
                </Button>
              ) : (
                <Menu
                  label={`Ignore failures of ${command}`}
                  entries={SPANS.map(({ label, seconds }) => ({
                    id: label,
                    label,
                    onSelect: () => ignore.mutate({ command, seconds }),
                  }))}
                  trigger={
                    <Button size="small" look="ghost">
                      Ignore failures…
                    </Button>
                  }
                />
              )}
            </TableRow>
          </li>
        ))}
      </ul>
    </section>
  );
}
