import { useNavigate, useParams, useRouter } from '@tanstack/react-router';

import { showToast, undoLatest } from '../../ui/toastStore';
import { useHotkeys } from '../hotkeys/useHotkeys';
import { openOverlay } from '../overlayStore';

/** The keys that act on every page. */
export function useGlobalHotkeys(): void {
  const navigate = useNavigate();
  const router = useRouter();
  const { project } = useParams({ strict: false });
  const go = 'Go to';
  const everywhere = 'Everywhere';
  const goToProject = (to: '/projects/$project' | '/projects/$project/train' | '/projects/$project/conflicts') => {
    if (project === undefined) {
      showToast({ text: 'Open a project first.', tone: 'info' });
    } else {
      void navigate({ to, params: { project } });
    }
  };
  useHotkeys([
    { keys: 'ctrl+k', label: 'Command palette', group: everywhere, run: () => openOverlay({ kind: 'palette' }) },
    { keys: '/', label: 'Search', group: everywhere, run: () => openOverlay({ kind: 'palette' }) },
    { keys: '?', label: 'Keys', group: everywhere, run: () => openOverlay({ kind: 'key-help' }) },
    { keys: 'c', label: 'New task', group: everywhere, run: () => openOverlay({ kind: 'new-task', project }) },
    { keys: 'z', label: 'Undo', group: everywhere, run: () => void undoLatest() },
    { keys: 'escape', label: 'Close, then go back', group: everywhere, run: () => router.history.back() },
    { keys: 'g i', label: 'Inbox', group: go, run: () => void navigate({ to: '/' }) },
    { keys: 'g b', label: 'Board', group: go, run: () => goToProject('/projects/$project') },
    { keys: 'g t', label: 'Train', group: go, run: () => goToProject('/projects/$project/train') },
    { keys: 'g c', label: 'Conflicts', group: go, run: () => goToProject('/projects/$project/conflicts') },
    { keys: 'g a', label: 'Agents', group: go, run: () => void navigate({ to: '/agents' }) },
  ]);
}
