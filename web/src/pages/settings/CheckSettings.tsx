import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { agentsQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { SelectField, TextAreaField, TextField } from '../../ui/Field';
import { FormSection } from '../../ui/FormPage';
import { minutesText, readMinutes } from '../../ui/numberFields';
import { Panel } from '../../ui/Panel';
import { SaveBar } from '../../ui/SaveBar';
import { SettingRow } from '../../ui/SettingRow';
import { Switch } from '../../ui/Switch';
import { fullLines } from '../../ui/words';
import { candidates } from '../newTask/newTask';
import { useSaveSettings } from './useSaveSettings';

/** The checks and the reviewer of every task that has none of its own. */
export function CheckSettings({ project }: { project: Project }) {
  const config = project.settings.default_review_config ?? {};
  const agents = useQuery(agentsQuery());
  const [fields, setFields] = useState({
    checks: (config.ci_steps ?? []).join('\n'),
    setup: (config.setup_steps ?? []).join('\n'),
    prompt: config.review_prompt ?? '',
    minutes: minutesText(config.timeout_seconds),
    reviewer: project.settings.default_reviewer?.agent_id ?? '',
    allowsNoChanges: config.allow_no_changes === true,
  });
  const change = (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed });
  const save = useSaveSettings(project);
  const seconds = readMinutes(fields.minutes);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (seconds === undefined) {
      return;
    }
    save.mutate({
      default_review_config: {
        ...config,
        ci_steps: fullLines(fields.checks),
        setup_steps: fullLines(fields.setup),
        review_prompt: fields.prompt.trim() === '' ? null : fields.prompt,
        timeout_seconds: seconds,
        allow_no_changes: fields.allowsNoChanges,
      },
      default_reviewer: fields.reviewer === '' ? null : { agent_id: fields.reviewer },
    });
  };
  return (
    <FormSection title="Checks and review" lead="For every task that has none of its own.">
      <Panel>
        <form aria-label="Checks and review" onSubmit={submit} noValidate style={{ display: 'contents' }}>
          <TextAreaField
            label="Checks"
            hint="Shell commands, one per line, in this order. Without any, tasks land untested."
            rows={4}
            spellCheck={false}
            placeholder={'cargo fmt --check\ncargo test'}
            value={fields.checks}
            onChange={({ target }) => change({ checks: target.value })}
          />
          <TextAreaField
            label="Before the checks"
            hint="Commands that prepare the worktree, such as `npm ci`."
            rows={2}
            spellCheck={false}
            value={fields.setup}
            onChange={({ target }) => change({ setup: target.value })}
          />
          <TextField
            label="Time limit of one command, in minutes"
            inputMode="decimal"
            placeholder="As the server"
            value={fields.minutes}
            problem={seconds === undefined ? 'Write a number of minutes.' : undefined}
            autoComplete="off"
            onChange={({ target }) => change({ minutes: target.value })}
          />
          <SelectField
            label="Reviewer"
            hint="Reads the change after the checks have passed."
            value={fields.reviewer}
            onChange={({ target }) => change({ reviewer: target.value })}
          >
            <option value="">None</option>
            {candidates(agents.data ?? [], 'reviewer').map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <TextAreaField
            label="Instructions for the reviewer"
            rows={3}
            value={fields.prompt}
            onChange={({ target }) => change({ prompt: target.value })}
          />
          <SettingRow
            title="Review work without changes"
            hint="Otherwise a task that changed nothing waits for a person."
          >
            <Switch
              label="Review work without changes"
              isOn={fields.allowsNoChanges}
              onChange={(isOn) => change({ allowsNoChanges: isOn })}
            />
          </SettingRow>
          <SaveBar busy={save.isPending} isSaved={save.isSuccess} failure={save.error} />
        </form>
      </Panel>
    </FormSection>
  );
}
