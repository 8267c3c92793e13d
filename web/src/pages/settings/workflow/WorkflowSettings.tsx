import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';

import { commands } from '../../../api/commands';
import { keys } from '../../../api/keys';
import { taskCountsQuery, workflowQuery, workflowTemplatesQuery } from '../../../api/queries';
import type { Project, WorkflowChoice } from '../../../api/types';
import { Button } from '../../../ui/Button';
import { SelectField } from '../../../ui/Field';
import { FormSection } from '../../../ui/FormPage';
import { Loaded } from '../../../ui/Loaded';
import { Panel } from '../../../ui/Panel';
import { Skeleton } from '../../../ui/Skeleton';
import { humanize } from '../../../ui/words';
import { WorkflowGraph } from './WorkflowGraph';
import { workflowToml } from './workflowToml';

/** The reader of TOML comes with the editor, which few open. */
const WorkflowEditor = lazy(() => import('./WorkflowEditor'));

/** What a workflow is replaced by. */
export interface WorkflowReplacement {
  workflow: WorkflowChoice;
  /** Old state → new state, where tasks are in states that the new workflow does not have. */
  mapping: Record<string, string>;
}

/** The states that tasks of a project go through: their graph, a choice of templates, and the file. */
export function WorkflowSettings({ project }: { project: Project }) {
  const cache = useQueryClient();
  const workflow = useQuery(workflowQuery(project.id));
  const templates = useQuery(workflowTemplatesQuery());
  const counts = useQuery(taskCountsQuery(project.id));
  // The text that is edited; null while the editor is closed.
  const [source, setSource] = useState<string | null>(null);
  const replace = useMutation({
    mutationFn: (asked: WorkflowReplacement) => commands.replaceWorkflow(project, asked.workflow, asked.mapping),
    onSuccess: () => setSource(null),
    onSettled: () =>
      Promise.all(
        [keys.projects(), keys.workflow(project.id), keys.counts(project.id)].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      ),
  });
  return (
    <Loaded what="the workflow" query={workflow}>
      {(shown) => (
        <>
          <FormSection
            title={`Workflow ${shown.name}`}
            lead="The states of a task with the number of tasks in each. Dashed lines are the ways of work that fails."
          >
            <WorkflowGraph workflow={shown} counts={counts.data?.states ?? {}} />
          </FormSection>
          <FormSection
            title="Replace it"
            lead="Every open task continues in the new workflow, all together or none. Running work is not stopped."
          >
            <Panel>
              {source === null ? (
                <>
                  <SelectField
                    label="Begin with"
                    value=""
                    onChange={({ target }) => {
                      const template = templates.data?.find(({ name }) => name === target.value);
                      setSource(workflowToml(template ?? shown));
                    }}
                  >
                    <option value="">Choose a workflow</option>
                    {templates.data?.map(({ name }) => (
                      <option key={name} value={name}>
                        {humanize(name)}
                      </option>
                    ))}
                  </SelectField>
                  <div>
                    <Button onClick={() => setSource(workflowToml(shown))}>Edit as TOML</Button>{' '}
                    <span role="status">{replace.isSuccess ? 'Saved' : ''}</span>
                  </div>
                </>
              ) : (
                <Suspense fallback={<Skeleton what="the editor" />}>
                  <WorkflowEditor
                    source={source}
                    present={shown}
                    counts={counts.data?.states ?? {}}
                    busy={replace.isPending}
                    failure={replace.error}
                    onChange={setSource}
                    onClose={() => {
                      replace.reset();
                      setSource(null);
                    }}
                    onSubmit={(asked) => replace.mutate(asked)}
                  />
                </Suspense>
              )}
            </Panel>
          </FormSection>
        </>
      )}
    </Loaded>
  );
}
