import { Eye, GitMergeConflict, MessageCircleQuestionMark } from 'lucide-react';

import { MEANINGS, type Meaning } from '../../task/meanings';
import type { Situation } from '../../task/situation';
import { TaskCard, type TaskCardFacts } from '../../task/TaskCard';
import { NamedAvatar } from '../../ui/Avatar';
import { Badge, Tag } from '../../ui/Badge';
import { CheckPips } from '../../ui/CheckPips';
import { Diffstat } from '../../ui/Diffstat';
import styles from './DesignPage.module.css';
import { SampleRow, Section } from './Section';

const now = new Date(Date.now() - 14 * 60_000).toISOString();
const situation = (meaning: Meaning, reason: string | null, icon?: Situation['icon']): Situation => ({
  meaning,
  label: MEANINGS[meaning].label,
  icon,
  reason,
});
const card = (number: number, title: string, shown: Situation, more: Partial<TaskCardFacts> = {}): TaskCardFacts => ({
  taskKey: `T-${number}`,
  title,
  project: 'sample',
  situation: shown,
  priority: 0,
  since: now,
  ...more,
});
const claude = { name: 'claude-1', program: 'claude' };
const codex = { name: 'codex-1', program: 'codex' };

/** Cards, badges and the small facts on them. */
export function CardSamples() {
  return (
    <>
      <Section title="Cards">
        <div className={styles.cards}>
          <TaskCard
            facts={card(151, 'Paginate GET /v1/invoices', situation('queued', 'Next for codex-1'), {
              label: 'api',
              agent: codex,
              priority: 2,
            })}
          />
          <TaskCard
            facts={card(145, 'Retry failed payouts with backoff', situation('working', 'Running cargo test payouts'), {
              agent: codex,
              changes: { added: 203, removed: 41 },
              cost: '$1.12',
            })}
          />
          <TaskCard
            isSelected
            facts={card(
              141,
              'Add rate limiting to the public API',
              situation('needs-you', 'Passed review, waits for you', Eye),
              {
                agent: claude,
                checks: ['passed', 'passed', 'passed', 'passed', 'passed'],
                changes: { added: 214, removed: 38 },
                cost: '$1.38',
              },
            )}
          />
          <TaskCard
            facts={card(
              148,
              'Expire idle sessions after 30 minutes',
              situation('needs-you', 'Asks: keep expired sessions for audit?', MessageCircleQuestionMark),
              { agent: claude, changes: { added: 146, removed: 22 } },
            )}
          />
          <TaskCard
            facts={card(
              133,
              'Stream CSV exports instead of buffering',
              situation('failed', 'Test failed, no attempts left'),
              {
                agent: claude,
                attempt: 'attempt 3 of 3',
                checks: ['passed', 'passed', 'failed'],
                changes: { added: 98, removed: 61 },
                cost: '$3.05',
              },
            )}
          />
          <TaskCard
            facts={card(
              139,
              'Move invoice totals to decimal',
              situation('needs-you', 'Conflicts with T-144 in total.rs', GitMergeConflict),
              { agent: codex, conflicts: ['Conflicts with T-144 in total.rs'] },
            )}
          />
          <TaskCard
            isStale
            facts={card(152, 'Drop the unused legacy_rates table', situation('held', 'Waits for T-139 to land'), {
              label: 'database',
            })}
          />
          <TaskCard
            isDragging
            facts={card(144, 'Round VAT per line, not per invoice', situation('landing', 'First in train'), {
              agent: claude,
            })}
          />
          <TaskCard
            facts={card(138, 'Reject transfers to closed accounts', situation('landed', null), {
              agent: claude,
              changes: { added: 71, removed: 9 },
              cost: '$0.55',
            })}
          />
        </div>
      </Section>
      <Section title="Badges and facts">
        <SampleRow>
          {(Object.keys(MEANINGS) as Meaning[]).map((meaning) => (
            <Badge key={meaning} meaning={meaning} />
          ))}
          <Badge meaning="needs-you" icon={Eye}>
            Ready to land
          </Badge>
          <Tag>security</Tag>
        </SampleRow>
        <SampleRow>
          <CheckPips checks={['passed', 'passed', 'failed', 'running', 'not-run']} />
          <CheckPips checks={Array.from({ length: 14 }, (_, index) => (index < 12 ? 'passed' : 'not-run'))} />
          <Diffstat added={146} removed={22} />
          <NamedAvatar kind="agent" name="claude-1" program="claude" />
          <NamedAvatar kind="user" name="admin" size="medium" />
        </SampleRow>
      </Section>
    </>
  );
}
