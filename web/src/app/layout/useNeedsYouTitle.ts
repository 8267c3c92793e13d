import { useQuery } from '@tanstack/react-query';

import { needsPersonQuery } from '../../api/queries';
import { useTitleCount } from '../title';

/** Shows the count of what needs the user in the tab's title and icon. */
export function useNeedsYouTitle(): void {
  const { data } = useQuery(needsPersonQuery());
  useTitleCount(data?.length ?? 0);
}
