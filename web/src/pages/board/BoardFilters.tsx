import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, LayoutList, ListFilter, SquareKanban, Tag } from 'lucide-react';

import { isFinished } from '../../api/phases';
import { agentsQuery } from '../../api/queries';
import type { BoardSearch } from '../../app/search';
import { FILTER_MEANINGS, MEANINGS } from '../../task/meanings';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { Menu } from '../../ui/Menu';
import type { MenuEntry } from '../../ui/menuEntries';
import { Segmented } from '../../ui/Segmented';
import styles from './BoardPage.module.css';
import type { BoardColumn } from './useBoard';

/** The field that F puts the focus into. */
export const FIND_FIELD_ID = 'board-find';

interface BoardFiltersProps {
  columns: readonly BoardColumn[];
  search: BoardSearch;
}

/** Filters by meaning, text, label and agent. All of them are in the address. */
export function BoardFilters({ columns, search }: BoardFiltersProps) {
  const navigate = useNavigate({ from: '/projects/$project/' });
  const agents = useQuery(agentsQuery());
  const cards = columns.flatMap(({ all }) => all);
  const hasMore = columns.some((column) => !isFinished(column.phase) && column.hasMore);
  const set = (changed: Partial<Record<keyof BoardSearch, string | undefined>>) =>
    void navigate({
      search: (before) => ({ ...before, ...changed }) as BoardSearch,
      replace: true,
    });
  const labels = [...new Set(cards.flatMap(({ task }) => task.labels))].toSorted();
  const agentName = agents.data?.find(({ id }) => id === search.agent)?.name;
  const entries: MenuEntry[] = [
    {
      kind: 'submenu',
      id: 'label',
      label: 'Label',
      icon: Tag,
      entries: labels.map((label) => ({
        id: label,
        label,
        isChecked: label === search.label,
        onSelect: () => set({ label: label === search.label ? undefined : label }),
      })),
    },
    {
      kind: 'submenu',
      id: 'agent',
      label: 'Agent',
      icon: Bot,
      entries: (agents.data ?? []).map(({ id, name }) => ({
        id,
        label: name,
        isChecked: id === search.agent,
        onSelect: () => set({ agent: id === search.agent ? undefined : id }),
      })),
    },
  ];
  return (
    <section className={styles.filters} aria-label="Filters">
      {FILTER_MEANINGS.map((meaning) => {
        const count = cards.filter(({ situation }) => situation.meaning === meaning).length;
        const isOn = search.meaning === meaning;
        return count === 0 && !isOn ? null : (
          <Chip
            key={meaning}
            meaning={meaning}
            label={MEANINGS[meaning].label}
            count={`${count}${hasMore ? '+' : ''}`}
            isOn={isOn}
            isUrgent={meaning === 'needs-you' && count > 0}
            onClick={() => set({ meaning: isOn ? undefined : meaning })}
          />
        );
      })}
      {search.label === undefined ? null : (
        <Chip label={search.label} isOn isRemovable onClick={() => set({ label: undefined })} />
      )}
      {search.agent === undefined ? null : (
        <Chip label={agentName ?? 'agent'} isOn isRemovable onClick={() => set({ agent: undefined })} />
      )}
      <span className={styles.space} />
      <input
        id={FIND_FIELD_ID}
        className={styles.find}
        type="search"
        aria-label="Find tasks"
        placeholder="Find tasks"
        defaultValue={search.text ?? ''}
        onChange={({ target }) => set({ text: target.value === '' ? undefined : target.value })}
      />
      <Menu
        label="Filter"
        entries={entries}
        trigger={
          <Button look="ghost" icon={ListFilter} hotkey="F">
            Filter
          </Button>
        }
      />
      <Segmented
        label="View"
        value={search.view ?? 'board'}
        options={[
          { value: 'board', label: 'Board', icon: SquareKanban },
          { value: 'list', label: 'List', icon: LayoutList },
        ]}
        onChange={(view) => set({ view: view === 'list' ? 'list' : undefined })}
      />
    </section>
  );
}
