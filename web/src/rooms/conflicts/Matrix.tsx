import type { Conflicts } from '../../api/types';
import { Link } from '../../app/router';
import { to } from '../../app/routes';
import { anchorOf, between, conflictsByTask } from './clashes';

/** Every live branch with every other. A cell that clashes leads to the files. */
export function Matrix({ found }: { found: Conflicts }) {
  const byTask = conflictsByTask(found);
  return (
    <div className="matrix" role="group" aria-label="Matrix of branches" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
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
              <th scope="row">
                <Link href={to.task(row.task_id)}>
                  <span className="key">{row.key}</span> {row.title}
                </Link>
              </th>
              {found.branches.map((column) => {
                const conflict = between(byTask, row.task_id, column.task_id);
                if (conflict === undefined) {
                  return <td key={column.task_id} data-self={row.task_id === column.task_id} />;
                }
                return (
                  <td key={column.task_id} data-clash="true">
                    <a
                      href={`#${anchorOf(conflict)}`}
                      aria-label={`${row.key} clashes with ${column.key}`}
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
    </div>
  );
}
