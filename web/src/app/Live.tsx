import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { followEvents, type StreamState } from '../api/stream';
import { useVisible } from '../ui/media';

/** Keeps everything on the page fresh while it is shown, and says when it cannot. */
export function Live() {
  const cache = useQueryClient();
  const [state, setState] = useState<StreamState>('connecting');
  const visible = useVisible();
  // Browsers allow few connections to a server, so tabs that nobody looks at hold none.
  useEffect(() => (visible ? followEvents(cache, setState) : undefined), [cache, visible]);
  return (
    <span className="live" data-state={state} role="status">
      {state === 'live' ? 'Live' : 'Connecting…'}
    </span>
  );
}
