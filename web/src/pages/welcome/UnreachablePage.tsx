import { Button } from '../../ui/Button';
import { FailureNotice } from '../../ui/Notice';
import { GateFrame } from './GateFrame';

/** The server did not answer at all. */
export function UnreachablePage({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  return (
    <GateFrame title="The server cannot be reached">
      <FailureNotice failure={failure} />
      <div>
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      </div>
    </GateFrame>
  );
}
