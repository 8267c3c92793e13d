import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import type { Project } from '../../api/types';
import { useMe } from '../../app/session/session';
import { TextField } from '../../ui/Field';
import { FormSection } from '../../ui/FormPage';
import { FailureNotice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { SaveBar } from '../../ui/SaveBar';
import { SettingRow } from '../../ui/SettingRow';
import { Switch } from '../../ui/Switch';
import { useSaveSettings } from './useSaveSettings';

/** The name of a project, whether it works, and who may define commands in it. */
export function GeneralSettings({ project }: { project: Project }) {
  const cache = useQueryClient();
  const isAdmin = useMe().user?.role === 'admin';
  const [name, setName] = useState(project.name);
  const refresh = () => cache.invalidateQueries({ queryKey: keys.projects() });
  const rename = useMutation({
    mutationFn: () => commands.renameProject(project, name.trim()),
    onSettled: refresh,
  });
  const toggle = useMutation({
    mutationFn: (isPaused: boolean) =>
      isPaused ? commands.pauseProject(project.id) : commands.resumeProject(project.id),
    onSettled: refresh,
  });
  const save = useSaveSettings(project);
  const problem = name.trim() === '' ? 'Give the project a name.' : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem === undefined) {
      rename.mutate();
    }
  };
  const isPaused = toggle.isPending ? toggle.variables : project.paused_at !== null;
  const mayDefine = save.isPending
    ? save.variables.members_may_define_commands === true
    : project.settings.members_may_define_commands === true;
  return (
    <>
      <FormSection title="Name">
        <Panel>
          <form aria-label="Name of the project" onSubmit={submit} noValidate style={{ display: 'contents' }}>
            <TextField
              label="Name"
              hint={`The address keeps the name ${project.slug}.`}
              value={name}
              problem={problem}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
            <SaveBar busy={rename.isPending} isSaved={rename.isSuccess} failure={rename.error} />
          </form>
        </Panel>
      </FormSection>
      <FormSection title="Work">
        <Panel>
          <SettingRow title="Paused" hint="No agent starts a task of this project. What runs goes on to its end.">
            <Switch
              label="Paused"
              isOn={isPaused}
              disabled={toggle.isPending}
              onChange={(isOn) => toggle.mutate(isOn)}
            />
          </SettingRow>
          <FailureNotice failure={toggle.error} />
          <SettingRow
            title="Members may define commands"
            hint="Checks, setup and agents of the project run as commands on the server. Only an admin can change this."
          >
            <Switch
              label="Members may define commands"
              isOn={mayDefine}
              disabled={!isAdmin || save.isPending}
              onChange={(isOn) => save.mutate({ members_may_define_commands: isOn })}
            />
          </SettingRow>
          <FailureNotice failure={save.error} />
        </Panel>
      </FormSection>
    </>
  );
}
