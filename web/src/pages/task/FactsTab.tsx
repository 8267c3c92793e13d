import { FactsPanel } from './FactsPanel';

/** The facts as a tab, where there is no room beside the content. */
export function FactsTab() {
  return <FactsPanel />;
}
