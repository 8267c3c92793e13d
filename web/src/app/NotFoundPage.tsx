import { ButtonLink } from '../ui/ButtonLink';
import { EmptyState } from '../ui/EmptyState';

/** An address that leads nowhere. */
export function NotFoundPage() {
  return (
    <EmptyState title="There is no page at this address." actions={<ButtonLink to="/">Open inbox</ButtonLink>}>
      <p>The address may be mistyped, or you may not be a member of its project.</p>
    </EmptyState>
  );
}
