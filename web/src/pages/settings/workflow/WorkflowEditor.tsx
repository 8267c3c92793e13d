import { type FormEvent, useRef, useState } from 'react';
import { parse, TomlError } from 'smol-toml';

import type { TaskCounts, WorkflowChoice, WorkflowView } from '../../../api/types';
import { Button } from '../../../ui/Button';
import { DialogButtons } from '../../../ui/Dialog';
import { SelectField, TextAreaField } from '../../../ui/Field';
import { FailureNotice } from '../../../ui/Notice';
import { humanize, plural } from '../../../ui/words';
import styles from './WorkflowEditor.module.css';
import type { WorkflowReplacement } from './WorkflowSettings';
import { problemsOf, type WorkflowProblem } from './workflowProblems';

interface WorkflowEditorProps {
  source: string;
  present: WorkflowView;
  counts: TaskCounts['states'];
  busy: boolean;
  failure: Error | null;
  onChange: (source: string) => void;
  onClose: () => void;
  onSubmit: (asked: WorkflowReplacement) => void;
}

/** The file of a workflow; each mistake leads to its line. */
export default function WorkflowEditor(props: WorkflowEditorProps) {
  const { source, present, counts, busy, failure, onChange, onClose, onSubmit } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [sent, setSent] = useState('');
  const [mapping, setMapping] = useState<Record<string, string>>({});
  const read = readDefinition(source);
  const refused = sent === source ? problemsOf(failure, source) : [];
  const problems = 'problem' in read ? [read.problem] : refused;
  const names = 'names' in read ? read.names : [];
  const unplaced = present.states.filter(({ name }) => (counts[name] ?? 0) > 0 && !names.includes(name));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ('definition' in read) {
      setSent(source);
      const used = Object.entries(mapping).filter(
        ([from, to]) => to !== '' && unplaced.some(({ name }) => name === from),
      );
      onSubmit({ workflow: read.definition, mapping: Object.fromEntries(used) });
    }
  };
  const showLine = (line: number) => {
    const lines = source.split('\n');
    const from = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0);
    area.current?.focus();
    area.current?.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
  };
  return (
    <form className={styles.form} aria-label="Workflow" onSubmit={submit} noValidate>
      <div className={styles.area}>
        <TextAreaField
          ref={area}
          label="Workflow as TOML"
          rows={24}
          spellCheck={false}
          value={source}
          aria-invalid={problems.length > 0}
          onChange={({ target }) => onChange(target.value)}
        />
      </div>
      {problems.length === 0 ? null : (
        <ul className={styles.problems} aria-label="Problems" role="alert">
          {problems.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              {line === null ? null : (
                <button type="button" className={styles.line} onClick={() => showLine(line)}>
                  Line {line}
                </button>
              )}{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {'names' in read
        ? unplaced.map(({ name }) => (
            <SelectField
              key={name}
              label={`${humanize(name)} has ${plural(counts[name] ?? 0, 'task')}. Ended tasks stay; others move to`}
              value={mapping[name] ?? ''}
              onChange={({ target }) => setMapping({ ...mapping, [name]: target.value })}
            >
              <option value="">Choose a state</option>
              {names.map((state) => (
                <option key={state} value={state}>
                  {humanize(state)}
                </option>
              ))}
            </SelectField>
          ))
        : null}
      {problems.length > 0 ? null : <FailureNotice failure={failure} />}
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
        <Button look="primary" type="submit" busy={busy} disabled={'problem' in read}>
          Replace workflow
        </Button>
      </DialogButtons>
    </form>
  );
}

type ReadDefinition = { problem: WorkflowProblem } | { definition: WorkflowChoice; names: string[] };

function readDefinition(source: string): ReadDefinition {
  try {
    const definition = parse(source);
    const states = Array.isArray(definition['state']) ? definition['state'] : [];
    const names = states.flatMap((state: unknown) =>
      typeof state === 'object' && state !== null && 'name' in state && typeof state.name === 'string'
        ? [state.name]
        : [],
    );
    // The schema describes the definition as an object without known fields; the server checks it.
    return { definition: definition as WorkflowChoice, names };
  } catch (error) {
    // The reader's message has a drawing of the place behind its first line.
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { problem: { line: error instanceof TomlError ? error.line : null, message } };
  }
}
