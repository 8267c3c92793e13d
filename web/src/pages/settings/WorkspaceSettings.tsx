import { type FormEvent, useState } from 'react';

import type { Project } from '../../api/types';
import { TextAreaField, TextField } from '../../ui/Field';
import { FormSection } from '../../ui/FormPage';
import { minutesText, readMinutes, readWhole } from '../../ui/numberFields';
import { Panel } from '../../ui/Panel';
import { SaveBar } from '../../ui/SaveBar';
import { SettingRow } from '../../ui/SettingRow';
import { Switch } from '../../ui/Switch';
import { readVariables, variableLines } from '../../ui/variables';
import { fullLines } from '../../ui/words';
import { useSaveSettings } from './useSaveSettings';

const MOST_PORTS = 20;

/** What happens in a new worktree before work starts in it. */
export function WorkspaceSettings({ project }: { project: Project }) {
  const setup = project.settings.setup ?? {};
  const [fields, setFields] = useState({
    commands: (setup.commands ?? []).join('\n'),
    variables: variableLines(setup.env ?? {}),
    ports: setup.ports === undefined || setup.ports === 0 ? '' : String(setup.ports),
    minutes: minutesText(setup.timeout_seconds),
  });
  const change = (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed });
  const save = useSaveSettings(project);
  const toggle = useSaveSettings(project);
  const env = readVariables(fields.variables);
  const ports = readWhole(fields.ports, MOST_PORTS);
  const timeout = readMinutes(fields.minutes);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (env !== null && ports !== undefined && timeout !== undefined) {
      const commands = fullLines(fields.commands);
      save.mutate({ setup: { ...setup, commands, env, ports: ports ?? 0, timeout_seconds: timeout } });
    }
  };
  const keepsIgnored = toggle.isPending
    ? toggle.variables.keep_ignored_files === true
    : project.settings.keep_ignored_files === true;
  return (
    <FormSection title="Workspaces" lead="Each task works in its own worktree. This prepares it.">
      <Panel>
        <form aria-label="Workspaces" onSubmit={submit} noValidate style={{ display: 'contents' }}>
          <TextAreaField
            label="Setup"
            hint="Shell commands, one per line. The first that fails stops the task."
            rows={3}
            spellCheck={false}
            placeholder="npm ci"
            value={fields.commands}
            onChange={({ target }) => change({ commands: target.value })}
          />
          <TextAreaField
            label="Environment of setup, agents and checks"
            hint="One NAME=value per line."
            rows={3}
            spellCheck={false}
            value={fields.variables}
            problem={env === null ? 'Write one NAME=value per line.' : undefined}
            onChange={({ target }) => change({ variables: target.value })}
          />
          <TextField
            label="Ports for each task"
            inputMode="numeric"
            placeholder="0"
            hint="As FORGE_PORT_0 and so on."
            value={fields.ports}
            problem={ports === undefined ? `Write a whole number up to ${MOST_PORTS}.` : undefined}
            autoComplete="off"
            onChange={({ target }) => change({ ports: target.value })}
          />
          <TextField
            label="Time limit of the setup, in minutes"
            inputMode="decimal"
            placeholder="10"
            value={fields.minutes}
            problem={timeout === undefined ? 'Write a number of minutes.' : undefined}
            autoComplete="off"
            onChange={({ target }) => change({ minutes: target.value })}
          />
          <SaveBar busy={save.isPending} isSaved={save.isSuccess} failure={save.error ?? toggle.error} />
        </form>
        <SettingRow
          title="Keep ignored files"
          hint="The next task of this project gets them as well, such as node_modules. Files with secrets too."
        >
          <Switch
            label="Keep ignored files"
            isOn={keepsIgnored}
            disabled={toggle.isPending}
            onChange={(isOn) => toggle.mutate({ keep_ignored_files: isOn })}
          />
        </SettingRow>
      </Panel>
    </FormSection>
  );
}
