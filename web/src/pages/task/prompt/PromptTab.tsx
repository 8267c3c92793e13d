import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { promptQuery } from '../../../api/queries';
import { Loaded } from '../../../ui/Loaded';
import { Segmented } from '../../../ui/Segmented';
import { humanize } from '../../../ui/words';
import { rolesOf } from '../../newTask/newTask';
import { useTaskPage } from '../taskContext';
import styles from './PromptTab.module.css';

/** What the agent of a role would be told now. */
export function PromptTab() {
  const { task, workflow } = useTaskPage();
  const [role, setRole] = useState<string>();
  const prompt = useQuery(promptQuery(task.id, role));
  const roles = workflow === undefined ? [] : rolesOf(workflow);
  return (
    <div className={styles.page}>
      <Loaded what="the prompt" query={prompt}>
        {(shown) => (
          <>
            <div className={styles.bar}>
              <Segmented
                label="Role"
                options={roles.map((value) => ({ value, label: humanize(value) }))}
                value={shown.role}
                onChange={setRole}
              />
              {shown.customised ? 'Customised for this project' : null}
              <span>{shown.prompt.length.toLocaleString()} characters</span>
            </div>
            <pre className={styles.text}>{shown.prompt}</pre>
          </>
        )}
      </Loaded>
    </div>
  );
}
