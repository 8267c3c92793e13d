/** The tabs of a task in their order; the number key of its place opens one. */
export const TASK_TABS = [
  { to: '/projects/$project/$taskKey', label: 'Conversation' },
  { to: '/projects/$project/$taskKey/diff', label: 'Diff' },
  { to: '/projects/$project/$taskKey/checks', label: 'Checks' },
  { to: '/projects/$project/$taskKey/journal', label: 'Journal' },
  { to: '/projects/$project/$taskKey/history', label: 'History' },
  { to: '/projects/$project/$taskKey/prompt', label: 'Prompt' },
] as const;

export type TaskTabLabel = (typeof TASK_TABS)[number]['label'];
