import { createContext, use } from 'react';

const TabToolsContext = createContext<HTMLElement | null>(null);
export const TabToolsProvider = TabToolsContext.Provider;

/** The place beside the tabs for the tools of the open tab. */
export function useTabTools(): HTMLElement | null {
  return use(TabToolsContext);
}
