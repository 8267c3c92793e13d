/** The parts of a project's settings, in the order of their list. */
export const SETTING_SECTIONS = [
  { id: 'general', label: 'General' },
  { id: 'repositories', label: 'Repositories' },
  { id: 'checks', label: 'Checks and review' },
  { id: 'workflow', label: 'Workflow' },
  { id: 'assignment', label: 'Auto-assign' },
  { id: 'train', label: 'Landing' },
  { id: 'budget', label: 'Budget' },
  { id: 'workspaces', label: 'Workspaces' },
  { id: 'members', label: 'Members' },
] as const;

export type SettingSection = (typeof SETTING_SECTIONS)[number]['id'];

/** The section that an address names. */
export function readSection(written: unknown): SettingSection | undefined {
  return SETTING_SECTIONS.find(({ id }) => id === written)?.id;
}
