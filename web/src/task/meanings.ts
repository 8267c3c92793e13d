import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  GitMerge,
  Hand,
  ListChecks,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';

/** What a task's situation means to a person. Eight meanings own the colours; ended without a result is neutral. */
export type Meaning =
  | 'queued'
  | 'working'
  | 'needs-you'
  | 'checking'
  | 'landing'
  | 'landed'
  | 'failed'
  | 'held'
  | 'ended';

interface MeaningLook {
  label: string;
  icon: LucideIcon;
  /** The icon turns while events arrive. */
  turns: boolean;
}

export const MEANINGS: Readonly<Record<Meaning, MeaningLook>> = {
  queued: { label: 'Queued', icon: CircleDashed, turns: false },
  working: { label: 'Working', icon: LoaderCircle, turns: true },
  'needs-you': { label: 'Needs you', icon: Hand, turns: false },
  checking: { label: 'Checking', icon: ListChecks, turns: false },
  landing: { label: 'Landing', icon: GitMerge, turns: false },
  landed: { label: 'Landed', icon: CircleCheck, turns: false },
  failed: { label: 'Failed', icon: CircleX, turns: false },
  held: { label: 'Held', icon: CirclePause, turns: false },
  ended: { label: 'Cancelled', icon: CircleSlash, turns: false },
};

/** The meanings that a board filters by, in the order of its chips. */
export const FILTER_MEANINGS = ['needs-you', 'failed', 'working', 'checking', 'landing', 'queued', 'held'] as const;
