import { PageHeader } from '../../app/layout/PageHeader';
import { useProject } from '../../app/layout/ProjectRoute';
import { useTitle } from '../../app/title';
import { FormPage } from '../../ui/FormPage';
import { ProjectBudget } from './ProjectBudget';
import { Repositories } from './Repositories';

/** The settings of a project. */
export function SettingsPage() {
  const project = useProject();
  useTitle(`${project.name} settings`);
  return (
    <>
      <PageHeader title="Settings" project={project} />
      <FormPage>
        <Repositories project={project} />
        <ProjectBudget project={project} />
      </FormPage>
    </>
  );
}
