import type { AgentProbe } from '../../api/types';
import { FactList, ListedFact } from '../../ui/FactList';
import { Notice } from '../../ui/Notice';
import { LOGIN_WORDS } from './programs';

/** What a check of an agent's program found. */
export function ProbeResult({ probe }: { probe: AgentProbe }) {
  if (probe.path === null) {
    return (
      <Notice tone="error" title={`${probe.program} is not installed`}>
        Install it on the server, or give the whole path as the command.
      </Notice>
    );
  }
  return (
    <div role="status">
      <FactList>
        <ListedFact name="Program">
          <code>{probe.path}</code>
        </ListedFact>
        <ListedFact name="Version">{probe.version ?? probe.problem ?? 'Unknown'}</ListedFact>
        {probe.tested_version === null ? null : <ListedFact name="Tested with">{probe.tested_version}</ListedFact>}
        {probe.login === null ? null : <ListedFact name="Login">{LOGIN_WORDS[probe.login]}</ListedFact>}
      </FactList>
    </div>
  );
}
