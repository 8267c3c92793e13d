import { type FormEvent, useState } from 'react';

import type { Agent } from '../../api/types';
import { Button } from '../../ui/Button';
import { DialogButtons } from '../../ui/Dialog';
import { SelectField, TextAreaField, TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import styles from './AgentForm.module.css';
import { type AgentFields, type AgentProblems, readAgentFields } from './agentForm';
import { AGENT_KINDS, KIND_NAMES, POLICY_WORDS } from './agentKinds';

interface AgentFormProps {
  label: string;
  fields: AgentFields;
  change: (changed: Partial<AgentFields>) => void;
  known: Agent | null;
  agents: readonly Agent[];
  busy: boolean;
  failure: Error | null;
  onClose: () => void;
  onSubmit: () => void;
}

/** The fields of an agent; those that few need are folded. */
export function AgentForm(props: AgentFormProps) {
  const { label, fields, change, known, agents, busy, failure, onClose, onSubmit } = props;
  const [problems, setProblems] = useState<AgentProblems>({});
  const [isMore, setMore] = useState(false);
  const look = AGENT_KINDS[fields.kind];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = readAgentFields(fields, known?.executor).problems;
    setProblems(found ?? {});
    if (found === null) {
      onSubmit();
    } else if (found.environment !== undefined || found.timeoutMinutes !== undefined || found.quietMinutes) {
      setMore(true);
    }
  };
  const text = (name: keyof AgentFields) => ({
    value: fields[name],
    problem: problems[name],
    autoComplete: 'off',
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  });
  return (
    <form className={styles.form} aria-label={label} onSubmit={submit} noValidate>
      <div className={styles.row}>
        <SelectField
          label="Program"
          value={fields.kind}
          disabled={known !== null}
          autoFocus={known === null}
          onChange={({ target }) => change({ kind: KIND_NAMES.find((kind) => kind === target.value) ?? 'shell' })}
        >
          {KIND_NAMES.map((kind) => (
            <option key={kind} value={kind}>
              {AGENT_KINDS[kind].label}
            </option>
          ))}
        </SelectField>
        <TextField label="Name" {...text('name')} />
      </div>
      {look.needsCommand === true ? (
        <TextField
          label="Command"
          hint={
            fields.kind === 'shell'
              ? "The prompt comes on standard input and in the file $FORGE_PROMPT_FILE. No shell runs it; write sh -c '…' for one."
              : 'A program that speaks the Agent Client Protocol. No shell runs it.'
          }
          spellCheck={false}
          {...text('command')}
        />
      ) : null}
      <div className={styles.row}>
        {look.policies.length === 0 ? null : (
          <SelectField
            label="Permissions"
            value={fields.policy}
            onChange={({ target }) => change({ policy: target.value })}
          >
            <option value="">Default of the kind</option>
            {look.policies.map((policy) => (
              <option key={policy} value={policy}>
                {POLICY_WORDS[policy]}
              </option>
            ))}
          </SelectField>
        )}
        {look.hasModel ? <TextField label="Model" placeholder="Default of the program" {...text('model')} /> : null}
      </div>
      <div className={styles.row}>
        <TextField label="Roles" placeholder="Any" hint="Separated by commas." {...text('roles')} />
        <TextField
          label="At once"
          inputMode="numeric"
          placeholder="1"
          hint="Tasks at the same time."
          {...text('limit')}
        />
        <SelectField
          label="Fallback"
          hint="Takes its tasks when its quota is used up."
          value={fields.fallback}
          onChange={({ target }) => change({ fallback: target.value })}
        >
          <option value="">None</option>
          {agents
            .filter(({ id }) => id !== known?.id)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </SelectField>
      </div>
      {isMore ? (
        <>
          {look.needsCommand === true ? null : (
            <TextField
              label="Command"
              hint="Replaces the program and its arguments, such as `npx claude`. Left empty, the program on the server's PATH."
              spellCheck={false}
              {...text('command')}
            />
          )}
          <TextAreaField
            label="Environment"
            rows={3}
            spellCheck={false}
            hint="One NAME=value per line. The values are stored on the server and never shown again."
            {...text('environment')}
          />
          <div className={styles.row}>
            <TextField
              label="Variables of the server"
              hint="Names, separated by commas."
              spellCheck={false}
              {...text('passed')}
            />
            <TextField
              label="Settings directory"
              hint="For a second account of the same program."
              spellCheck={false}
              {...text('configDirectory')}
            />
          </div>
          <div className={styles.row}>
            <TextField
              label="Time limit in minutes"
              inputMode="decimal"
              placeholder="None"
              {...text('timeoutMinutes')}
            />
            <TextField
              label="Quiet after minutes"
              inputMode="decimal"
              placeholder="As the server"
              {...text('quietMinutes')}
            />
          </div>
        </>
      ) : null}
      <FailureNotice failure={failure} />
      <div className={styles.foot}>
        <Button look="ghost" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
          {isMore ? 'Fewer fields' : 'More fields'}
        </Button>
        <DialogButtons>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" busy={busy}>
            {known === null ? 'Add agent' : 'Save'}
          </Button>
        </DialogButtons>
      </div>
    </form>
  );
}
