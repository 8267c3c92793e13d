import type { Task } from '../../api/types';
import { Tag } from '../../ui/Badge';
import { humanize } from '../../ui/words';
import { Fact } from './TaskFacts';

/** The pull request by which the task lands. Its address comes from elsewhere, so only a web address is a link. */
export function PullRequestFact({ shown }: { shown: NonNullable<Task['pull_request']> }) {
  const name = `#${shown.number}`;
  return (
    <Fact name="Pull request">
      {/^https?:\/\//.test(shown.url) ? (
        <a href={shown.url} rel="noreferrer">
          {name}
        </a>
      ) : (
        name
      )}{' '}
      <Tag>{humanize(shown.state)}</Tag>
      {shown.waits_for === null ? null : ` waits for ${humanize(shown.waits_for).toLowerCase()}`}
    </Fact>
  );
}
