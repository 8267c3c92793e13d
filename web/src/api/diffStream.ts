import type { DiffNews, DiffScope } from './types';

/** A browser gives up on a stream that was refused once, for example while the server restarts. */
const RETRY_MS = 2_000;

/** What can be said of how fresh a diff is. */
export type Freshness = 'connecting' | 'live' | 'still';

/** Follows what a task changes until told to stop. The patches are not in the news: they are asked for again. */
export function followDiff(
  task: string,
  scope: DiffScope,
  onNews: () => void,
  onFreshness: (freshness: Freshness) => void,
): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let refusals = 0;

  const connect = () => {
    source = new EventSource(`/api/v1/tasks/${encodeURIComponent(task)}/diff/stream?scope=${scope}`);
    source.addEventListener('diff', (message: MessageEvent<string>) => {
      refusals = 0;
      const news = JSON.parse(message.data) as DiffNews;
      onFreshness(news.live ? 'live' : 'still');
      onNews();
    });
    source.addEventListener('end', () => {
      source?.close();
      onFreshness('still');
      onNews();
    });
    source.onerror = () => {
      onFreshness('connecting');
      if (source?.readyState === EventSource.CLOSED) {
        // Without a workspace there is nothing to follow; a server that restarts is back soon.
        refusals += 1;
        if (refusals < 3) {
          retry = setTimeout(connect, RETRY_MS);
        } else {
          onFreshness('still');
        }
      }
    };
  };

  connect();
  return () => {
    clearTimeout(retry);
    source?.close();
  };
}
