import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import { executionsQuery, fetchLog } from '../../api/queries';
import type { Execution } from '../../api/types';
import { Answered } from '../../ui/Answered';
import { Badge } from '../../ui/Badge';
import { Empty } from '../../ui/Empty';
import { FailureNotice } from '../../ui/Notice';
import { Time } from '../../ui/Time';
import { humanize, shortCommit } from '../../ui/words';
import { appendPage, type Log, plainText, unread } from './log';

/** How long to wait at the end of a log that still grows. */
const POLL_MS = 1_000;

/** The log of the task's latest execution, followed while it grows. */
export function LogView({ task }: { task: string }) {
  const executions = useQuery(executionsQuery(task));
  return (
    <Answered what="the executions" query={executions}>
      {(list) => {
        const latest = latestOf(list);
        return latest === undefined ? (
          <Empty title="Nobody has worked on this task yet." />
        ) : (
          <>
            <ExecutionFacts execution={latest} />
            <LogText key={latest.id} execution={latest.id} />
          </>
        );
      }}
    </Answered>
  );
}

/** Identifiers are UUIDv7, so the greatest is the latest, in whatever order the list comes. */
function latestOf(list: readonly Execution[]): Execution | undefined {
  return list.toSorted((one, other) => one.id.localeCompare(other.id)).at(-1);
}

function ExecutionFacts({ execution }: { execution: Execution }) {
  const { role, status, outcome, exit_code, started_at, commit, no_changes } = execution;
  const tone = outcome === null ? 'active' : outcome === 'succeeded' ? 'good' : 'bad';
  return (
    <p className="facts">
      <span>{humanize(role)}</span>
      <Badge tone={tone}>{humanize(outcome ?? status)}</Badge>
      {exit_code === null ? null : <span>exit code {exit_code}</span>}
      {started_at === null ? null : <Time at={started_at} />}
      {commit === null ? null : <code>{shortCommit(commit)}</code>}
      {no_changes === true ? <span>without changes</span> : null}
    </p>
  );
}

function LogText({ execution }: { execution: string }) {
  const { log, failure } = useLog(execution);
  const box = useRef<HTMLPreElement>(null);
  // Stay at the end unless the person scrolled up to read.
  const following = useRef(true);
  useEffect(() => {
    if (following.current && box.current !== null) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [log]);
  const noteScroll = () => {
    const { current } = box;
    if (current !== null) {
      following.current = current.scrollHeight - current.scrollTop - current.clientHeight < 40;
    }
  };
  return (
    <>
      <FailureNotice failure={failure} />
      {log.cut ? <p className="fine">The beginning is left out; `forge task log` shows all of it.</p> : null}
      <pre className="log" role="log" aria-label="Log" tabIndex={0} ref={box} onScroll={noteScroll}>
        {log.text === '' ? (log.ended ? '(no output)' : '(no output yet)') : plainText(log.text)}
      </pre>
    </>
  );
}

/** Reads a log part by part, to its end or for as long as it is shown. */
function useLog(execution: string): { log: Log; failure: Error | null } {
  const [log, setLog] = useState(unread);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const follow = async () => {
      let read = unread;
      setLog(read);
      while (!stop.signal.aborted && !read.ended) {
        const page = await fetchLog(execution, read.next, stop.signal);
        const grew = page.next > read.next;
        read = appendPage(read, page);
        setLog(read);
        if (!grew && !read.ended) {
          await new Promise((resolve) => setTimeout(resolve, POLL_MS));
        }
      }
    };
    follow().catch((error: unknown) => {
      if (!stop.signal.aborted) {
        setFailure(error instanceof Error ? error : new Error(String(error)));
      }
    });
    return () => stop.abort();
  }, [execution]);
  return { log, failure };
}
