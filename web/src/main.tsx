import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { App } from './app/App';
import { createCache } from './app/cache';
import { takeLinkCode } from './app/linkCode';
import './app/theme.css';
import './ui/ui.css';
import './app/app.css';

const root = document.getElementById('root');
if (root === null) {
  throw new Error('index.html has no element with the id root');
}
const linkCode = takeLinkCode();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createCache()}>
      <App linkCode={linkCode} />
    </QueryClientProvider>
  </StrictMode>,
);
