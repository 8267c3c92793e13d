import { NewTaskDialog } from '../pages/newTask/NewTaskDialog';
import { ActionDialog } from '../task/ActionDialog';
import { KeyHelp } from './hotkeys/KeyHelp';
import { closeOverlay, useOverlay } from './overlayStore';
import { CommandPalette } from './palette/CommandPalette';

/** Whatever lies over the page now. */
export function Overlays() {
  const overlay = useOverlay();
  switch (overlay?.kind) {
    case undefined:
      return null;
    case 'palette':
      return <CommandPalette onClose={closeOverlay} />;
    case 'key-help':
      return <KeyHelp onClose={closeOverlay} />;
    case 'new-task':
      return <NewTaskDialog project={overlay.project} onClose={closeOverlay} />;
    case 'action':
      return <ActionDialog task={overlay.task} planned={overlay.planned} onClose={closeOverlay} />;
  }
}
