import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';

import { projectsQuery, taskQuery } from '../../api/queries';
import { Loaded } from '../../ui/Loaded';

/** Leads from a task's id to its present address. */
export function TaskByIdPage() {
  const { id } = useParams({ from: '/tasks/$id' });
  const task = useQuery(taskQuery(id));
  const projects = useQuery(projectsQuery());
  return (
    <Loaded what="the task" query={task}>
      {(found) => {
        const project = projects.data?.find((candidate) => candidate.id === found.project_id)?.slug;
        return project === undefined ? null : (
          <Navigate to="/projects/$project/$taskKey" params={{ project, taskKey: found.key }} replace />
        );
      }}
    </Loaded>
  );
}
