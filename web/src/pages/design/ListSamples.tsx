import { GroupHeading } from '../../ui/GroupHeading';
import { Markdown } from '../../ui/Markdown';
import { MeaningIcon } from '../../ui/MeaningIcon';
import { TableRow } from '../../ui/TableRow';
import { TabLink, TabList } from '../../ui/Tabs';
import { TerminalOutput } from '../../ui/TerminalOutput';
import { Section } from './Section';

const MARKDOWN = 'All writes go through `SessionStore`:\n\n- one check there covers the API\n- **and** the admin page';
const OUTPUT =
  'running 24 tests\ntest session::expired ... \u001b[32mok\u001b[0m\ntest session::audit ... \u001b[31mFAILED\u001b[0m\n23 passed, 1 failed';
const ignore = () => undefined;

/** Rows, tabs and texts. */
export function ListSamples() {
  return (
    <>
      <Section title="Rows and tabs">
        <TabList label="Sample tabs">
          <TabLink to="/design">Conversation</TabLink>
          <TabLink to="/" fact="+146 -22">
            Diff
          </TabLink>
          <TabLink to="/" hasNews>
            Checks
          </TabLink>
        </TabList>
        <div>
          <GroupHeading
            title="Working"
            count={21}
            fold={{ isOpen: true, onToggle: ignore }}
            action={{ label: 'Show 14 more', onClick: ignore }}
          />
          <TableRow>
            <MeaningIcon meaning="working" /> T-145 Retry failed payouts with backoff
          </TableRow>
          <TableRow isSelected isTall>
            <MeaningIcon meaning="failed" /> T-133 Stream CSV exports instead of buffering
          </TableRow>
        </div>
      </Section>
      <Section title="Texts">
        <Markdown source={MARKDOWN} />
        <TerminalOutput text={OUTPUT} />
      </Section>
    </>
  );
}
