import {
  ClipboardCheck,
  Eye,
  GitMergeConflict,
  GitPullRequest,
  Hand,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessageCircleQuestionMark,
  OctagonPause,
  UserRound,
  Wallet,
} from 'lucide-react';

import type { NeedsPerson } from '../api/types';
import { sentence } from './sentence';

/** How one reason to need a person is shown. */
export interface PersonReasonLook {
  label: string;
  icon: LucideIcon | undefined;
  /** Red, and listed under Needs you: something broke. */
  isFailure: boolean;
  /** The reason in a line, where the message of the server names commands or states. */
  words?: string;
}

const act = (label: string, icon: LucideIcon, words?: string): PersonReasonLook => ({
  label,
  icon,
  isFailure: false,
  ...(words === undefined ? {} : { words }),
});
const failure = (label: string, words?: string): PersonReasonLook => ({
  label,
  icon: undefined,
  isFailure: true,
  ...(words === undefined ? {} : { words }),
});

/** The reasons the server names (`reason` of GET /needs-person). An unknown one is shown with its message. */
const LOOKS: Readonly<Record<string, PersonReasonLook>> = {
  question: act('Question', MessageCircleQuestionMark),
  review_passed: act('Ready to land', Eye, 'Checks passed, waits for you'),
  verdict: act('Your review', ClipboardCheck),
  pull_request: act('Pull request', GitPullRequest),
  claim: act('Yours to do', UserRound),
  decision: act('Decide', OctagonPause),
  parked: act('Parked', OctagonPause),
  handed_off: act('Handed off', Hand),
  role_unassigned: act('No agent', UserRound),
  stopped: act('Stopped', OctagonPause),
  no_changes: act('No changes', ListChecks),
  not_signed_in: act('Sign in', KeyRound),
  budget_exhausted: act('Over budget', Wallet),
  merge_conflict: act('Conflict', GitMergeConflict),
  reverts_landed: act('Reverts landed work', GitMergeConflict),
  target_checkout_dirty: act('Local changes in the way', OctagonPause),
  landed_outside: act('Landed outside', Eye),
  unreviewed: act('Changed since review', Eye),
  repository_config_changed: act('Configuration changed', ClipboardCheck),
  gate_exhausted: failure('Checks failed', 'Checks failed, no attempts left'),
  checks_broken: failure('Checks could not run'),
  review_blocked: failure('Review blocked'),
  execution_failed: failure('Execution failed'),
  execution_lost: failure('Execution lost'),
  stuck: failure('No output'),
  merge_checks_failed: failure('Red when merged'),
  push_failed: failure('Push failed'),
  pull_request_failed: failure('Pull request failed'),
  dependency_failed: failure('Dependency failed'),
  setup_failed: failure('Setup failed'),
  effect_failed: failure('Server step failed'),
  workspace_error: failure('Workspace error'),
  workspace_corrupted: failure('Workspace damaged'),
};

/** Why a task needs a person, in a line. */
export function personReasonWords({ reason, message }: Pick<NeedsPerson, 'reason' | 'message'>): string {
  return personReasonLook(reason).words ?? sentence(message);
}

/** How a reason is shown. */
export function personReasonLook(reason: string): PersonReasonLook {
  return LOOKS[reason] ?? { label: 'Needs you', icon: undefined, isFailure: false };
}
