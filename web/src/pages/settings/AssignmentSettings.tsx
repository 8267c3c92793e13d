import { type FormEvent, useState } from 'react';

import type { Project } from '../../api/types';
import { TextField } from '../../ui/Field';
import { FormSection } from '../../ui/FormPage';
import { readWhole } from '../../ui/numberFields';
import { Panel } from '../../ui/Panel';
import { SaveBar } from '../../ui/SaveBar';
import { SettingRow } from '../../ui/SettingRow';
import { Switch } from '../../ui/Switch';
import { useSaveSettings } from './useSaveSettings';

/** Whether agents get tasks without a person. */
export function AssignmentSettings({ project }: { project: Project }) {
  const dispatch = project.settings.dispatch ?? {};
  const [limit, setLimit] = useState(dispatch.max_concurrent?.toString() ?? '');
  const toggle = useSaveSettings(project);
  const save = useSaveSettings(project);
  const shown = toggle.isPending ? (toggle.variables.dispatch ?? dispatch) : dispatch;
  const most = readWhole(limit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (most !== undefined) {
      save.mutate({ dispatch: { ...dispatch, max_concurrent: most } });
    }
  };
  return (
    <FormSection title="Auto-assign" lead="Ready tasks go to free agents by themselves, the most urgent first.">
      <Panel>
        <SettingRow title="Auto-assign" hint="Without it, a person starts each task.">
          <Switch
            label="Auto-assign"
            isOn={shown.enabled === true}
            disabled={toggle.isPending}
            onChange={(enabled) => toggle.mutate({ dispatch: { ...dispatch, enabled } })}
          />
        </SettingRow>
        <SettingRow
          title="Hold conflicting tasks"
          hint="A task waits while its branch conflicts with one that is worked on or about to land."
        >
          <Switch
            label="Hold conflicting tasks"
            isOn={shown.hold_conflicts === true}
            disabled={toggle.isPending}
            onChange={(hold_conflicts) => toggle.mutate({ dispatch: { ...dispatch, hold_conflicts } })}
          />
        </SettingRow>
        <form aria-label="Auto-assign" onSubmit={submit} noValidate style={{ display: 'contents' }}>
          <TextField
            label="At once"
            inputMode="numeric"
            placeholder="No limit"
            hint="Executions of this project at the same time."
            value={limit}
            problem={most === undefined ? 'Write a whole number from 1.' : undefined}
            autoComplete="off"
            onChange={({ target }) => setLimit(target.value)}
          />
          <SaveBar busy={save.isPending} isSaved={save.isSuccess} failure={save.error ?? toggle.error} />
        </form>
      </Panel>
    </FormSection>
  );
}
