import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';

import { tokensQuery } from '../../api/queries';
import { PageHeader } from '../../app/layout/PageHeader';
import { nameOf, useMe } from '../../app/session/session';
import { chooseTheme, useTheme } from '../../app/theme';
import { useTitle } from '../../app/title';
import { FormPage, FormSection } from '../../ui/FormPage';
import { Loaded } from '../../ui/Loaded';
import { Segmented } from '../../ui/Segmented';
import { ChangePassword } from './ChangePassword';
import { Tokens } from './Tokens';

/** The account of the signed-in user: theme, password and the tokens that stand for the user elsewhere. */
export function AccountPage() {
  const me = useMe();
  const tokens = useQuery(tokensQuery());
  const theme = useTheme();
  const { without } = useSearch({ from: '/account' });
  useTitle('Your account');
  return (
    <>
      <PageHeader title="Your account" note={`${nameOf(me)}${me.user?.role === 'admin' ? ', admin' : ''}`} />
      <FormPage>
        <FormSection title="Tokens" lead="A token signs in the command line and programs as you, until you revoke it.">
          <Loaded what="your tokens" query={tokens}>
            {(list) => <Tokens list={list} isWithoutPassword={without === 'password'} />}
          </Loaded>
        </FormSection>
        <FormSection title="Password">
          <ChangePassword />
        </FormSection>
        <FormSection title="Theme" lead="This browser keeps it.">
          <div>
            <Segmented
              label="Theme"
              value={theme}
              options={[
                { value: 'system', label: 'As the system' },
                { value: 'light', label: 'Light' },
                { value: 'dark', label: 'Dark' },
              ]}
              onChange={chooseTheme}
            />
          </div>
        </FormSection>
      </FormPage>
    </>
  );
}
