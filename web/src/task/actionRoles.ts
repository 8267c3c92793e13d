import {
  Archive,
  ArchiveRestore,
  CircleSlash,
  CircleX,
  CornerDownLeft,
  CornerUpLeft,
  Eye,
  FilePen,
  GitMerge,
  GitPullRequestArrow,
  Link2,
  type LucideIcon,
  MessageCircleQuestionMark,
  MessageSquare,
  MoveRight,
  Play,
  RotateCcw,
  Square,
  TriangleAlert,
  Undo2,
  UserCog,
  Users,
  Wrench,
} from 'lucide-react';

/** What an action is for, whatever the server calls it. */
export type ActionRole = keyof typeof LOOKS;

interface ActionLook {
  label: string;
  icon: LucideIcon;
  hotkey?: string;
  isDangerous: boolean;
}

const safe = (label: string, icon: LucideIcon, hotkey?: string): ActionLook => ({
  label,
  icon,
  isDangerous: false,
  ...(hotkey === undefined ? {} : { hotkey }),
});
const dangerous = (label: string, icon: LucideIcon): ActionLook => ({ label, icon, isDangerous: true });

/** In the order of the menu. Labels of dangerous actions end in an ellipsis, because they ask first. */
const LOOKS = {
  answer: safe('Answer', MessageCircleQuestionMark),
  approve: safe('Approve and land', GitMerge, 'l'),
  start: safe('Start', Play, 's'),
  retry: safe('Retry', RotateCcw),
  'update-branch': safe('Update branch', GitPullRequestArrow),
  'send-back': safe('Send back', CornerUpLeft, 'b'),
  steer: safe('Send a message', MessageSquare, 'r'),
  stop: safe('Stop', Square),
  'approve-anyway': safe('Approve anyway', Eye),
  'accept-landed': safe('Accept as landed', GitMerge),
  'assign-coder': safe('Give to another agent', Users, 'a'),
  'assign-other': safe('Set role', UserCog),
  'hand-off': safe('Hand off', CornerDownLeft),
  edit: safe('Edit', FilePen, 'e'),
  'depends-on': safe('Depends on…', Link2),
  move: safe('Move to', MoveRight),
  revert: safe('Revert', Undo2),
  'report-regression': safe('Report a regression', TriangleAlert),
  archive: safe('Archive', Archive),
  unarchive: safe('Unarchive', ArchiveRestore),
  other: safe('', Wrench),
  'mark-failed': dangerous('Mark failed…', CircleX),
  'reset-workspace': dangerous('Reset workspace…', Undo2),
  cancel: dangerous('Cancel task…', CircleSlash),
} as const satisfies Readonly<Record<string, ActionLook>>;

export const ACTION_LOOKS: Readonly<Record<ActionRole, ActionLook>> = LOOKS;
