import type { Conflicts } from '../../api/types';
import { anchorOf, between, conflictsByTask, targetAnchorOf } from '../../task/conflicts';
import { BranchLink } from './ConflictList';
import styles from './ConflictsPage.module.css';

/** Every live branch against its target and against every other. A cell with a conflict leads to its files. */
export function Matrix({ found, project }: { found: Conflicts; project: string }) {
  const byTask = conflictsByTask(found);
  return (
    <section className={styles.matrix} aria-label="Matrix of branches">
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">Target</th>
            {found.branches.map((column) => (
              <th key={column.task_id} scope="col" title={column.title}>
                {column.key}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {found.branches.map((row) => (
            <tr key={row.task_id}>
              <th scope="row" className={styles.row}>
                <BranchLink branch={row} project={project} />
              </th>
              {row.target_conflict === null ? (
                <td />
              ) : (
                <td className={styles.conflict}>
                  <a
                    href={`#${targetAnchorOf(row)}`}
                    aria-label={`${row.target_conflict.files.length}: ${row.key} conflicts with ${row.target ?? 'its target'}`}
                    title={row.target_conflict.files.join('\n')}
                  >
                    {row.target_conflict.files.length}
                  </a>
                </td>
              )}
              {found.branches.map((column) => {
                const conflict = between(byTask, row.task_id, column.task_id);
                if (conflict === undefined) {
                  return (
                    <td key={column.task_id} className={row.task_id === column.task_id ? styles.self : undefined} />
                  );
                }
                return (
                  <td key={column.task_id} className={styles.conflict}>
                    <a
                      href={`#${anchorOf(conflict)}`}
                      aria-label={`${conflict.files.length}: ${row.key} conflicts with ${column.key}`}
                      title={conflict.files.join('\n')}
                    >
                      {conflict.files.length}
                    </a>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
