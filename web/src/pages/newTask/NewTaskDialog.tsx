import { useQuery } from '@tanstack/react-query';

import { projectsQuery } from '../../api/queries';
import { ButtonLink } from '../../ui/ButtonLink';
import { Dialog, DialogButtons } from '../../ui/Dialog';
import { Loaded } from '../../ui/Loaded';
import { NewTaskForm } from './NewTaskForm';

interface NewTaskDialogProps {
  /** The slug of the project to create in; without one, the first. */
  project: string | undefined;
  onClose: () => void;
}

/** Creates a task and starts an agent on it. */
export function NewTaskDialog({ project, onClose }: NewTaskDialogProps) {
  const projects = useQuery(projectsQuery());
  return (
    <Dialog title="New task" isWide onClose={onClose}>
      <Loaded what="the projects" query={projects}>
        {(list) => {
          const chosen = list.find(({ slug }) => slug === project) ?? list[0];
          return chosen === undefined ? (
            <>
              <p>A task belongs to a project. Add a repository first.</p>
              <DialogButtons>
                <ButtonLink to="/setup" look="primary" onClick={onClose}>
                  Add a repository
                </ButtonLink>
              </DialogButtons>
            </>
          ) : (
            <NewTaskForm projects={list} initial={chosen} onClose={onClose} />
          );
        }}
      </Loaded>
    </Dialog>
  );
}
