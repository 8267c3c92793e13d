import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { commands } from '../../api/commands';
import { keys } from '../../api/keys';
import { dispatchQuery } from '../../api/queries';
import { sentence } from '../../task/sentence';
import { FormSection } from '../../ui/FormPage';
import { Loaded } from '../../ui/Loaded';
import { FailureNotice, Notice } from '../../ui/Notice';
import { Panel } from '../../ui/Panel';
import { SettingRow } from '../../ui/SettingRow';
import { Switch } from '../../ui/Switch';

/** Whether the server gives work to agents by itself, and what it lacks for more. */
export function AssignmentState({ isAdmin }: { isAdmin: boolean }) {
  const cache = useQueryClient();
  const dispatch = useQuery(dispatchQuery());
  const toggle = useMutation({
    mutationFn: (isPaused: boolean) => (isPaused ? commands.pauseDispatch() : commands.resumeDispatch()),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.dispatch() }),
  });
  return (
    <FormSection title="Auto-assign">
      <Panel>
        <Loaded what="the state of auto-assign" query={dispatch}>
          {({ paused_at, running, max_concurrent, lacks }) => (
            <>
              <SettingRow
                title="Paused on the whole server"
                hint={`${running} running${max_concurrent === null ? '' : ` of at most ${max_concurrent}`}. What runs goes on to its end.`}
              >
                <Switch
                  label="Paused on the whole server"
                  isOn={toggle.isPending ? toggle.variables : paused_at !== null}
                  disabled={!isAdmin || toggle.isPending}
                  onChange={(isOn) => toggle.mutate(isOn)}
                />
              </SettingRow>
              {lacks.length === 0 ? null : (
                <Notice tone="warning" title="No further execution starts">
                  {lacks.map(({ message }) => sentence(message)).join('. ')}
                </Notice>
              )}
            </>
          )}
        </Loaded>
        <FailureNotice failure={toggle.error} />
      </Panel>
    </FormSection>
  );
}
