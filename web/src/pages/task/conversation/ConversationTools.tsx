import { ChevronDown, ChevronUp, ListFilter, Search, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useState } from 'react';

import { Button } from '../../../ui/Button';
import { Icon } from '../../../ui/Icon';
import { IconButton } from '../../../ui/IconButton';
import { Menu } from '../../../ui/Menu';
import styles from './ConversationTools.module.css';
import { ENTRY_FILTERS, type EntryFilter } from './conversationRows';

const FILTER_LABELS: Readonly<Record<EntryFilter, string>> = {
  conversation: 'Conversation',
  messages: 'Messages only',
  tools: 'Tool calls only',
  failures: 'Failures only',
  everything: 'All events',
};

export interface ConversationSearch {
  text: string;
  /** The rows with the text, and which of them is shown. */
  matches: number;
  position: number;
}

interface ConversationToolsProps {
  search: ConversationSearch | null;
  searchRef: Ref<HTMLInputElement>;
  filter: EntryFilter;
  onSearch: (text: string | null) => void;
  onStep: (direction: 1 | -1) => void;
  onFilter: (filter: EntryFilter) => void;
}

/** Finds text in the conversation and chooses what is shown of it. */
export function ConversationTools({ search, searchRef, filter, onSearch, onStep, onFilter }: ConversationToolsProps) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      onStep(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      onSearch(null);
    }
  };
  return (
    <div className={styles.tools}>
      {search === null ? (
        <Button look="ghost" size="small" icon={Search} hotkey="/" onClick={() => onSearch('')}>
          Find
        </Button>
      ) : (
        <search className={styles.search}>
          <Icon icon={Search} size={14} />
          <input
            ref={searchRef}
            type="text"
            aria-label="Find in the conversation"
            placeholder="Find"
            value={search.text}
            onChange={({ target }) => onSearch(target.value)}
            onKeyDown={onKeyDown}
          />
          <output className={styles.count}>
            {search.text === ''
              ? ''
              : search.matches === 0
                ? 'none'
                : `${Math.max(0, search.position) + 1} / ${search.matches}`}
          </output>
          <IconButton icon={ChevronUp} label="Previous match" size="small" onClick={() => onStep(-1)} />
          <IconButton icon={ChevronDown} label="Next match" size="small" onClick={() => onStep(1)} />
          <IconButton icon={X} label="Close the search" size="small" onClick={() => onSearch(null)} />
        </search>
      )}
      <Menu
        label="What is shown"
        open={isMenuOpen}
        onOpenChange={setMenuOpen}
        trigger={
          <Button look="ghost" size="small" icon={ListFilter}>
            {FILTER_LABELS[filter]}
          </Button>
        }
        entries={ENTRY_FILTERS.map((one) => ({
          id: one,
          label: FILTER_LABELS[one],
          isChecked: one === filter,
          onSelect: () => onFilter(one),
        }))}
      />
    </div>
  );
}
