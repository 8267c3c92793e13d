import { type FormEvent, useState } from 'react';

import type { Project } from '../../api/types';
import { SelectField, TextField } from '../../ui/Field';
import { FormSection } from '../../ui/FormPage';
import { readWhole } from '../../ui/numberFields';
import { Panel } from '../../ui/Panel';
import { SaveBar } from '../../ui/SaveBar';
import { SettingRow } from '../../ui/SettingRow';
import { Switch } from '../../ui/Switch';
import { useSaveSettings } from './useSaveSettings';

type Merge = NonNullable<Project['settings']['merge']>;

/** How branches get into their target. */
export function LandingSettings({ project }: { project: Project }) {
  const merge: Merge = project.settings.merge ?? {};
  const [fields, setFields] = useState({
    mode: merge.mode ?? 'direct',
    verify: merge.verify ?? 'off',
    isTrain: merge.train === true,
    window: merge.window?.toString() ?? '',
  });
  const change = (changed: Partial<typeof fields>) => setFields({ ...fields, ...changed });
  const save = useSaveSettings(project);
  const window = readWhole(fields.window);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (window !== undefined) {
      const { mode, verify, isTrain: train } = fields;
      save.mutate({ merge: { ...merge, mode, verify, train, window } });
    }
  };
  return (
    <FormSection title="Landing">
      <Panel>
        <form aria-label="Landing" onSubmit={submit} noValidate style={{ display: 'contents' }}>
          <SelectField
            label="How branches land"
            value={fields.mode}
            onChange={({ target }) => change({ mode: target.value === 'pull_request' ? 'pull_request' : 'direct' })}
          >
            <option value="direct">Forge merges and pushes</option>
            <option value="pull_request">By a pull request on GitHub</option>
          </SelectField>
          <SettingRow
            title="Merge train"
            hint="Waiting branches are tested together, each on top of those before it. Otherwise one lands at a time."
          >
            <Switch label="Merge train" isOn={fields.isTrain} onChange={(isTrain) => change({ isTrain })} />
          </SettingRow>
          <TextField
            label="Tested at once"
            inputMode="numeric"
            placeholder="16"
            value={fields.window}
            problem={window === undefined ? 'Write a whole number from 1.' : undefined}
            autoComplete="off"
            onChange={({ target }) => change({ window: target.value })}
          />
          <SelectField
            label="After the push"
            value={fields.verify}
            onChange={({ target }) => change({ verify: target.value === 'remote_checks' ? 'remote_checks' : 'off' })}
          >
            <option value="off">Nothing more</option>
            <option value="remote_checks">Watch the checks of the remote</option>
          </SelectField>
          <SaveBar busy={save.isPending} isSaved={save.isSuccess} failure={save.error} />
        </form>
      </Panel>
    </FormSection>
  );
}
