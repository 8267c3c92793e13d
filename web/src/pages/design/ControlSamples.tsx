import { Ellipsis, LayoutList, Play, Plus, SquareKanban } from 'lucide-react';
import { useState } from 'react';

import { FILTER_MEANINGS, MEANINGS } from '../../task/meanings';
import { Button, type ButtonLook } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Chip } from '../../ui/Chip';
import { SelectField, TextAreaField, TextField } from '../../ui/Field';
import { IconButton } from '../../ui/IconButton';
import { Kbd } from '../../ui/Kbd';
import { Menu } from '../../ui/Menu';
import { Segmented } from '../../ui/Segmented';
import { Switch } from '../../ui/Switch';
import { SampleRow, Section } from './Section';

const LOOKS: readonly ButtonLook[] = ['primary', 'secondary', 'ghost', 'danger', 'confirm'];
const ignore = () => undefined;

/** Buttons, menus and fields. */
export function ControlSamples() {
  const [isOn, setOn] = useState(true);
  const [view, setView] = useState<'board' | 'list'>('board');
  return (
    <>
      <Section title="Buttons">
        {LOOKS.map((look) => (
          <SampleRow key={look}>
            <Button look={look}>{MEANINGS.queued.label}</Button>
            <Button look={look} icon={Play} hotkey="S">
              Start
            </Button>
            <Button look={look} busy>
              Busy
            </Button>
            <Button look={look} disabled title="Choose an agent first">
              Disabled
            </Button>
          </SampleRow>
        ))}
        <SampleRow>
          <Button size="small">Small</Button>
          <Button>Medium</Button>
          <Button size="large">Large</Button>
          <IconButton icon={Plus} label="New task" hotkey="C" />
          <Menu
            label="Sample"
            trigger={<IconButton icon={Ellipsis} label="Sample menu" look="secondary" />}
            entries={[
              { id: 'start', label: 'Start now', icon: Play, hotkey: 's', onSelect: ignore },
              { id: 'no', label: 'Put first', disabledBecause: 'It is first already', onSelect: ignore },
              {
                kind: 'submenu',
                id: 'move',
                label: 'Move to…',
                entries: [{ id: 'queue', label: 'Todo', isChecked: true, onSelect: ignore }],
              },
              { kind: 'line', id: 'line' },
              { id: 'cancel', label: 'Cancel task…', isDanger: true, onSelect: ignore },
            ]}
          />
          <Kbd keys="G I" />
        </SampleRow>
      </Section>
      <Section title="Chips and switches">
        <SampleRow>
          {FILTER_MEANINGS.map((meaning, index) => (
            <Chip
              key={meaning}
              meaning={meaning}
              label={MEANINGS[meaning].label}
              count={index + 1}
              isOn={index === 2}
              isUrgent={meaning === 'needs-you'}
              onClick={ignore}
            />
          ))}
          <Chip label="billing" isOn isRemovable onClick={ignore} />
        </SampleRow>
        <SampleRow>
          <Switch label="Auto-assign" isOn={isOn} onChange={setOn} />
          <Checkbox label="Viewed" checked={isOn} onChange={() => setOn(!isOn)} />
          <Segmented
            label="View"
            value={view}
            options={[
              { value: 'board', label: 'Board', icon: SquareKanban },
              { value: 'list', label: 'List', icon: LayoutList },
            ]}
            onChange={setView}
          />
        </SampleRow>
      </Section>
      <Section title="Fields">
        <TextField label="Title" defaultValue="Expire idle sessions" hint="What the task is called." />
        <TextField label="Priority" defaultValue="high" problem="Write a whole number; higher goes first." />
        <SelectField label="Agent" defaultValue="claude">
          <option value="claude">claude-1</option>
          <option value="codex">codex-1</option>
        </SelectField>
        <TextAreaField label="Description" placeholder="What should the agent do?" />
      </Section>
    </>
  );
}
