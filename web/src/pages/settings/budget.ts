import type { Budget } from '../../api/types';

/** What is written in the form. */
export interface BudgetFields {
  dollars: string;
  tokens: string;
}

export interface BudgetProblems {
  dollars?: string;
  tokens?: string;
}

export type BudgetRequest = { problems: BudgetProblems } | { problems: null; budget: Budget | null };

const MICROS = 1_000_000;

/** The budget that the form stands for, or what is wrong with it. Both left empty, there is none. */
export function budgetRequest(fields: BudgetFields): BudgetRequest {
  const problems: BudgetProblems = {};
  const dollars = fields.dollars.trim();
  const tokens = fields.tokens.trim();
  // Six digits behind the point are a millionth, the smallest amount there is.
  if (dollars !== '' && (!/^\d{1,9}(\.\d{1,6})?$/.test(dollars) || Number(dollars) === 0)) {
    problems.dollars = 'Write an amount such as 12.50.';
  }
  if (tokens !== '' && !/^[1-9]\d{0,14}$/.test(tokens)) {
    problems.tokens = 'Write a whole number from 1.';
  }
  if (Object.keys(problems).length > 0) {
    return { problems };
  }
  if (dollars === '' && tokens === '') {
    return { problems: null, budget: null };
  }
  return {
    problems: null,
    budget: {
      cost_micro_usd: dollars === '' ? null : Math.round(Number(dollars) * MICROS),
      tokens: tokens === '' ? null : Number(tokens),
    },
  };
}

/** A budget as the form shows it. */
export function budgetFields(budget: Budget | null | undefined): BudgetFields {
  const { cost_micro_usd = null, tokens = null } = budget ?? {};
  return {
    dollars: cost_micro_usd === null ? '' : dollarsOf(cost_micro_usd),
    tokens: tokens === null ? '' : String(tokens),
  };
}

/** A budget in words. */
export function budgetWords(budget: Budget | null | undefined): string {
  const { dollars, tokens } = budgetFields(budget);
  const parts = [dollars === '' ? '' : `$${dollars}`, tokens === '' ? '' : `${tokens} tokens`];
  return parts.filter((part) => part !== '').join(' and ') || 'no limit';
}

/** Cents at least, and no more digits than say something. */
function dollarsOf(micros: number): string {
  const [whole = '0', fraction = ''] = (micros / MICROS).toFixed(6).split('.');
  return `${whole}.${fraction.replace(/0{1,4}$/, '')}`;
}
