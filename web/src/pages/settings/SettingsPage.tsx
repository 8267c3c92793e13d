import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Project } from '../../api/types';
import { PageHeader } from '../../app/layout/PageHeader';
import { useProject } from '../../app/layout/ProjectRoute';
import { useTitle } from '../../app/title';
import { FormPage } from '../../ui/FormPage';
import { AssignmentSettings } from './AssignmentSettings';
import { CheckSettings } from './CheckSettings';
import { GeneralSettings } from './GeneralSettings';
import { LandingSettings } from './LandingSettings';
import { Members } from './Members';
import { ProjectBudget } from './ProjectBudget';
import { Repositories } from './Repositories';
import styles from './SettingsPage.module.css';
import { SETTING_SECTIONS, type SettingSection } from './sections';
import { WorkspaceSettings } from './WorkspaceSettings';
import { WorkflowSettings } from './workflow/WorkflowSettings';

/** The settings of a project, one section at a time. */
export function SettingsPage() {
  const project = useProject();
  const { section = 'general' } = useSearch({ from: '/projects/$project/settings' });
  useTitle(`${project.name} settings`);
  return (
    <>
      <PageHeader title="Settings" project={project} />
      <div className={styles.body}>
        <nav className={styles.sections} aria-label="Settings">
          {SETTING_SECTIONS.map(({ id, label }) => (
            <Link
              key={id}
              to="/projects/$project/settings"
              params={{ project: project.slug }}
              search={id === 'general' ? {} : { section: id }}
              activeOptions={{ exact: true }}
              className={styles.section}
              replace
            >
              {label}
            </Link>
          ))}
        </nav>
        <FormPage isWide={section === 'workflow'}>
          {/* The forms begin anew when another project is opened. */}
          <div key={project.id} className={styles.forms}>
            {sectionOf(section, project)}
          </div>
        </FormPage>
      </div>
    </>
  );
}

function sectionOf(section: SettingSection, project: Project): ReactNode {
  switch (section) {
    case 'general':
      return <GeneralSettings project={project} />;
    case 'repositories':
      return <Repositories project={project} />;
    case 'checks':
      return <CheckSettings project={project} />;
    case 'workflow':
      return <WorkflowSettings project={project} />;
    case 'assignment':
      return <AssignmentSettings project={project} />;
    case 'train':
      return <LandingSettings project={project} />;
    case 'budget':
      return <ProjectBudget project={project} />;
    case 'workspaces':
      return <WorkspaceSettings project={project} />;
    case 'members':
      return <Members project={project} />;
  }
}
