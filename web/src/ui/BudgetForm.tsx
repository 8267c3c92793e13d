import { type FormEvent, useState } from 'react';

import type { Budget } from '../api/types';
import { type BudgetProblems, budgetFields, budgetRequest } from './budget';
import { Button } from './Button';
import { TextField } from './Field';
import { FailureNotice } from './Notice';

interface BudgetFormProps {
  /** Whose it is. */
  label: string;
  budget: Budget | null | undefined;
  busy: boolean;
  failure: Error | null;
  onCancel: () => void;
  onSubmit: (budget: Budget | null) => void;
}

/** Asks what agents may use (E-8). */
export function BudgetForm({ label, budget, busy, failure, onCancel, onSubmit }: BudgetFormProps) {
  const [problems, setProblems] = useState<BudgetProblems>({});
  const shown = budgetFields(budget);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = (name: string) => String(data.get(name) ?? '');
    const request = budgetRequest({ dollars: read('dollars'), tokens: read('tokens') });
    setProblems(request.problems ?? {});
    if (request.problems === null) {
      onSubmit(request.budget);
    }
  };
  return (
    <form className="panel" aria-label={label} onSubmit={submit} noValidate>
      <div className="row">
        <TextField
          label="US dollars"
          name="dollars"
          inputMode="decimal"
          defaultValue={shown.dollars}
          hint="No limit if left empty."
          problem={problems.dollars}
          autoComplete="off"
        />
        <TextField
          label="Tokens"
          name="tokens"
          inputMode="numeric"
          defaultValue={shown.tokens}
          hint="No limit if left empty."
          problem={problems.tokens}
          autoComplete="off"
        />
      </div>
      <FailureNotice failure={failure} />
      <div className="row end">
        <Button quiet onClick={onCancel}>
          Close
        </Button>
        <Button primary type="submit" busy={busy}>
          Save budget
        </Button>
      </div>
    </form>
  );
}
