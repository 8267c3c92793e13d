// Every screen of the page in the scene, with what shows that it has loaded.

/** @typedef {{ name: string, path: string, ready: (page: import('playwright-core').Page) => Promise<unknown> }} Screen */

/** @param {string} text */
const text = (text) => (/** @type {import('playwright-core').Page} */ page) =>
  page.getByText(text).filter({ visible: true }).first().waitFor();

/** @param {string} name */
const heading = (name) => (/** @type {import('playwright-core').Page} */ page) =>
  page.getByRole('heading', { name, exact: true }).first().waitFor();

const PROJECT = '/projects/ledger-api';
const TASK = `${PROJECT}/T-3`;

/** @type {readonly Screen[]} */
export const SCREENS = [
  { name: 'inbox', path: '/', ready: text('Landed today') },
  { name: 'board', path: `${PROJECT}?phase=review`, ready: text('Add rate limiting') },
  { name: 'list', path: `${PROJECT}?view=list`, ready: text('Add rate limiting') },
  { name: 'conversation', path: TASK, ready: text('token bucket of 60') },
  { name: 'diff', path: `${TASK}/diff`, ready: text('Token bucket of one') },
  { name: 'checks', path: `${PROJECT}/T-6/checks`, ready: text('streams_10m_rows') },
  { name: 'journal', path: `${TASK}/journal`, ready: text('Execution ended') },
  { name: 'history', path: `${TASK}/history`, ready: text('Todo') },
  { name: 'prompt', path: `${TASK}/prompt`, ready: text('Keep the public API') },
  { name: 'train', path: `${PROJECT}/train`, ready: heading('Train') },
  { name: 'conflicts', path: `${PROJECT}/conflicts`, ready: text('Round VAT per line') },
  { name: 'settings', path: `${PROJECT}/settings`, ready: heading('Work') },
  { name: 'repositories', path: `${PROJECT}/settings?section=repositories`, ready: text('primary') },
  { name: 'check-settings', path: `${PROJECT}/settings?section=checks`, ready: text('Before the checks') },
  { name: 'workflow', path: `${PROJECT}/settings?section=workflow`, ready: text('Edit as TOML') },
  { name: 'assignment', path: `${PROJECT}/settings?section=assignment`, ready: text('Hold conflicting tasks') },
  { name: 'landing-settings', path: `${PROJECT}/settings?section=train`, ready: text('Tested at once') },
  { name: 'budget', path: `${PROJECT}/settings?section=budget`, ready: text('Save budget') },
  { name: 'workspace-settings', path: `${PROJECT}/settings?section=workspaces`, ready: text('Ports for each task') },
  { name: 'members', path: `${PROJECT}/settings?section=members`, ready: text('Members see this project') },
  { name: 'agents', path: '/agents', ready: text('finn') },
  { name: 'agent', path: '/agents?agent=ada', ready: text('Usage of all executions') },
  { name: 'design', path: '/design', ready: heading('Design system') },
  { name: 'server', path: '/server', ready: text('There was nothing to recover.') },
  { name: 'account', path: '/account', ready: heading('Your account') },
  { name: 'setup', path: '/setup', ready: text('What happens to a task') },
];
