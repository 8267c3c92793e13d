import type { ReactNode } from 'react';

import styles from './Avatar.module.css';
import { classNames } from './classNames';
import { initials } from './initials';

type AvatarSize = 'small' | 'medium' | 'large';

interface AvatarProps {
  /** Agents are rounded squares with two letters of their program, people are round. */
  kind: 'agent' | 'user';
  letters: string;
  size?: AvatarSize | undefined;
}

/** Two letters that stand for an agent or a person. */
export function Avatar({ kind, letters, size = 'small' }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      // As generated content the letters are no part of the name of a button around them.
      data-letters={letters}
      className={classNames(styles.avatar, styles[kind], size === 'small' ? undefined : styles[size])}
    />
  );
}

/** An agent's or a person's avatar with the name. */
export function NamedAvatar({
  kind,
  name,
  program,
  size,
}: Pick<AvatarProps, 'kind' | 'size'> & { name: string; program?: string | undefined }): ReactNode {
  return (
    <span className={styles.named}>
      <Avatar kind={kind} letters={initials(name, program)} size={size} />
      <span className={styles.name}>{name}</span>
    </span>
  );
}
