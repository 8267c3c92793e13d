import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FolderGit2, FolderPlus, Radar, Settings2, SquareKanban, TrainFront } from 'lucide-react';

import { conflictsQuery, needsPersonQuery, projectsQuery, trainQuery } from '../../api/queries';
import type { Project } from '../../api/types';
import { NavLink } from './NavLink';
import styles from './Sidebar.module.css';

/** The projects; the open one with its pages. */
export function ProjectNavigation({ isRail }: { isRail: boolean }) {
  const projects = useQuery(projectsQuery());
  const { project: open } = useParams({ strict: false });
  const list = projects.data ?? [];
  // A rail has no room for names: it shows the pages of the open project only.
  const shown = isRail ? list.filter(({ slug }) => slug === open) : list;
  return (
    <nav aria-label="Projects">
      {isRail ? null : <div className={styles.heading}>Projects</div>}
      {shown.map((project) => (
        <ProjectEntry key={project.id} project={project} isOpen={project.slug === open} isRail={isRail} />
      ))}
      {isRail ? null : <NavLink to="/setup" icon={FolderPlus} label="Add a project" />}
    </nav>
  );
}

interface ProjectEntryProps {
  project: Project;
  isOpen: boolean;
  isRail: boolean;
}

function ProjectEntry({ project, isOpen, isRail }: ProjectEntryProps) {
  const needsPerson = useQuery(needsPersonQuery());
  const needsYou = needsPerson.data?.filter(({ project_id }) => project_id === project.id).length ?? 0;
  const { taskKey } = useParams({ strict: false });
  const params = { project: project.slug };
  const exactly = { exact: true, includeSearch: false };
  if (!isOpen) {
    return (
      <NavLink to="/projects/$project" params={params} icon={FolderGit2} label={project.name} needsYou={needsYou} />
    );
  }
  return (
    <>
      {isRail ? null : (
        <NavLink
          to="/projects/$project"
          params={params}
          icon={FolderGit2}
          label={project.name}
          fact={project.paused_at === null ? undefined : 'paused'}
          isHeading
        />
      )}
      <NavLink
        to="/projects/$project"
        params={params}
        activeOptions={exactly}
        icon={SquareKanban}
        label="Board"
        needsYou={needsYou}
        isCurrent={taskKey !== undefined}
        isIndented
        isRail={isRail}
      />
      <TrainEntry project={project} isRail={isRail} />
      <ConflictsEntry project={project} isRail={isRail} />
      <NavLink
        to="/projects/$project/settings"
        params={params}
        icon={Settings2}
        label="Settings"
        isIndented
        isRail={isRail}
      />
    </>
  );
}

interface CountedEntryProps {
  project: Project;
  isRail: boolean;
}

function TrainEntry({ project, isRail }: CountedEntryProps) {
  const trains = useQuery(trainQuery(project.id));
  const entries = trains.data?.reduce((sum, { entries }) => sum + entries.length, 0) ?? 0;
  return (
    <NavLink
      to="/projects/$project/train"
      params={{ project: project.slug }}
      icon={TrainFront}
      label="Train"
      fact={entries === 0 ? undefined : entries}
      isIndented
      isRail={isRail}
    />
  );
}

function ConflictsEntry({ project, isRail }: CountedEntryProps) {
  const { data } = useQuery(conflictsQuery(project.id));
  const withTarget = data?.branches.filter(({ target_conflict }) => target_conflict !== null).length ?? 0;
  const count = withTarget + (data?.conflicts.length ?? 0);
  return (
    <NavLink
      to="/projects/$project/conflicts"
      params={{ project: project.slug }}
      icon={Radar}
      label="Conflicts"
      fact={count === 0 ? undefined : count}
      isIndented
      isRail={isRail}
    />
  );
}
