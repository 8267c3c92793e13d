import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { followEvents, type StreamState } from '../api/stream';

/** Keeps everything on the page fresh while it is shown, and says when it cannot. */
export function Live() {
  const cache = useQueryClient();
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => followEvents(cache, setState), [cache]);
  return (
    <span className="live" data-state={state} role="status">
      {state === 'live' ? 'Live' : 'Connecting…'}
    </span>
  );
}
