import { type FormEvent, useState } from 'react';

import type { Budget } from '../../api/types';
import { Button } from '../../ui/Button';
import { DialogButtons } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { FailureNotice } from '../../ui/Notice';
import { type BudgetProblems, budgetFields, budgetRequest } from './budget';

interface BudgetFormProps {
  label: string;
  budget: Budget | null | undefined;
  busy: boolean;
  failure: Error | null;
  /** Left out where there is nothing to close. */
  onCancel?: () => void;
  onSubmit: (budget: Budget | null) => void;
}

/** Asks what agents may use (E-8). */
export function BudgetForm({ label, budget, busy, failure, onCancel, onSubmit }: BudgetFormProps) {
  const [fields, setFields] = useState(() => budgetFields(budget));
  const [problems, setProblems] = useState<BudgetProblems>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const request = budgetRequest(fields);
    setProblems(request.problems ?? {});
    if (request.problems === null) {
      onSubmit(request.budget);
    }
  };
  return (
    <form aria-label={label} onSubmit={submit} noValidate style={{ display: 'contents' }}>
      <TextField
        label="US dollars"
        inputMode="decimal"
        hint="No limit if left empty."
        value={fields.dollars}
        problem={problems.dollars}
        autoComplete="off"
        onChange={({ target }) => setFields({ ...fields, dollars: target.value })}
      />
      <TextField
        label="Tokens"
        inputMode="numeric"
        hint="No limit if left empty."
        value={fields.tokens}
        problem={problems.tokens}
        autoComplete="off"
        onChange={({ target }) => setFields({ ...fields, tokens: target.value })}
      />
      <FailureNotice failure={failure} />
      <DialogButtons>
        {onCancel === undefined ? null : <Button onClick={onCancel}>Close</Button>}
        <Button look="primary" type="submit" busy={busy}>
          Save budget
        </Button>
      </DialogButtons>
    </form>
  );
}
