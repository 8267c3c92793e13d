import { useQuery } from '@tanstack/react-query';

import { recoveryQuery, systemInfoQuery } from '../../api/queries';
import { PageHeader } from '../../app/layout/PageHeader';
import { useMe } from '../../app/session/session';
import { useTitle } from '../../app/title';
import { FactList, ListedFact } from '../../ui/FactList';
import { FormPage, FormSection } from '../../ui/FormPage';
import { Loaded } from '../../ui/Loaded';
import { Panel } from '../../ui/Panel';
import { RelativeTime } from '../../ui/RelativeTime';
import { AssignmentState } from './AssignmentState';
import { recoveredLines } from './recovery';
import { Users } from './Users';
import { Workspaces } from './Workspaces';

/** The server: whether it assigns work, what its last start recovered, its users and its workspaces. */
export function ServerPage() {
  const info = useQuery(systemInfoQuery());
  const isAdmin = useMe().user?.role === 'admin';
  useTitle('Server');
  return (
    <>
      <PageHeader title="Server" note={info.data === undefined ? undefined : `Forge ${info.data.version}`} />
      <FormPage>
        <AssignmentState isAdmin={isAdmin} />
        <LastStart />
        <FormSection title="Health">
          <Panel>
            <Loaded what="the server" query={info}>
              {({ version, database, database_version, git_version, data_dir, node }) => (
                <FactList>
                  <ListedFact name="Forge">{version}</ListedFact>
                  <ListedFact name="Database">
                    {database} {database_version}
                  </ListedFact>
                  <ListedFact name="Git">{git_version ?? 'Did not answer. Install git on the server.'}</ListedFact>
                  {data_dir === null ? null : (
                    <ListedFact name="Data">
                      <code>{data_dir}</code>
                    </ListedFact>
                  )}
                  <ListedFact name="Node">
                    <code>{node}</code>
                  </ListedFact>
                </FactList>
              )}
            </Loaded>
          </Panel>
        </FormSection>
        <Users isAdmin={isAdmin} />
        <Workspaces isAdmin={isAdmin} />
      </FormPage>
    </>
  );
}

function LastStart() {
  const recovery = useQuery(recoveryQuery());
  return (
    <FormSection title="Last start">
      <Panel>
        <Loaded what="the report of the last start" query={recovery}>
          {(report) => {
            const lines = recoveredLines(report);
            return (
              <>
                <p>
                  Started <RelativeTime at={report.started_at} form="long" />.{' '}
                  {lines.length === 0 ? 'There was nothing to recover.' : 'It recovered:'}
                </p>
                {lines.length === 0 ? null : (
                  <FactList>
                    {lines.map(({ what, count }) => (
                      <ListedFact key={what} name={what}>
                        {count.toLocaleString('en')}
                      </ListedFact>
                    ))}
                  </FactList>
                )}
              </>
            );
          }}
        </Loaded>
      </Panel>
    </FormSection>
  );
}
