import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import './design/tokens.css';
import './design/base.css';
import { App } from './app/App';
import { createCache } from './app/cache';
import { takeLinkCode } from './app/session/linkCode';
import { startTheme } from './app/theme';
import { TooltipProvider } from './ui/Tooltip';

const root = document.getElementById('root');
if (root === null) {
  throw new Error('index.html has no element with the id root');
}
startTheme();
const linkCode = takeLinkCode();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createCache()}>
      <TooltipProvider>
        <App linkCode={linkCode} />
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
);
