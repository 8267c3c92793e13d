import { useQuery } from '@tanstack/react-query';

import { executionsQuery } from '../../../api/queries';
import { EmptyState } from '../../../ui/EmptyState';
import { Loaded } from '../../../ui/Loaded';
import { Markdown } from '../../../ui/Markdown';
import { useTaskPage } from '../taskContext';
import { CommentList } from './CommentList';
import styles from './ConversationTab.module.css';
import { ExecutionLog } from './ExecutionLog';
import { ReplyBox } from './ReplyBox';

/** The description, every execution in one timeline, the comments and a box to reply. */
export function ConversationTab() {
  const { task } = useTaskPage();
  const executions = useQuery(executionsQuery(task.id));
  return (
    <div className={styles.page}>
      {task.description === '' ? (
        <p className={styles.quiet}>No description.</p>
      ) : (
        <Markdown source={task.description} />
      )}
      <Loaded what="the executions" query={executions}>
        {(list) => {
          // Identifiers are UUIDv7, so their order is that of time.
          const ordered = list.toSorted((one, other) => one.id.localeCompare(other.id));
          const latest = ordered.at(-1);
          return (
            <>
              {latest === undefined ? (
                <EmptyState title="Not started. The agent will get the description as its prompt." />
              ) : (
                ordered.map((execution, index) => (
                  <ExecutionLog
                    key={execution.id}
                    execution={execution}
                    number={index + 1}
                    isOpenAtFirst={execution === latest}
                  />
                ))
              )}
              <CommentList task={task.id} />
              <ReplyBox task={task} latest={latest} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
