import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useParams } from '@tanstack/react-router';
import { createContext, use } from 'react';

import { projectsQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { Loaded } from '../../ui/Loaded';
import { NotFoundPage } from '../NotFoundPage';

const ProjectContext = createContext<Project | null>(null);

/** Finds the project that an address names by its slug, or by its id as older addresses do. */
export function ProjectRoute() {
  const projects = useQuery(projectsQuery());
  const { project: named } = useParams({ from: '/projects/$project' });
  return (
    <Loaded what="the project" query={projects}>
      {(list) => {
        const project = list.find(({ slug, id }) => slug === named || id === named);
        if (project === undefined) {
          return <NotFoundPage />;
        }
        return project.slug === named ? (
          <ProjectContext.Provider value={project}>
            <Outlet key={project.id} />
          </ProjectContext.Provider>
        ) : (
          <Navigate to="/projects/$project" params={{ project: project.slug }} replace />
        );
      }}
    </Loaded>
  );
}

/** The project of the present page. */
export function useProject(): Project {
  const project = use(ProjectContext);
  if (project === null) {
    throw new Error('useProject is only for pages of a project');
  }
  return project;
}
