import { ChevronDown, Copy } from 'lucide-react';

import type { DiffFile } from '../api/types';
import { Tag } from '../ui/Badge';
import { classNames } from '../ui/classNames';
import { copyText } from '../ui/copyText';
import { Diffstat } from '../ui/Diffstat';
import { Icon } from '../ui/Icon';
import { IconButton } from '../ui/IconButton';
import { humanize } from '../ui/words';
import styles from './DiffFileHeader.module.css';

interface DiffFileHeaderProps {
  file: DiffFile;
  isOpen: boolean;
  onToggle: () => void;
}

/** The name of a file with what happened to it. */
export function DiffFileHeader({ file, isOpen, onToggle }: DiffFileHeaderProps) {
  const slash = file.path.lastIndexOf('/') + 1;
  return (
    <div className={classNames(styles.header, !isOpen && styles.closed)}>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={onToggle}>
        <Icon icon={ChevronDown} size={14} className={classNames(!isOpen && styles.turned)} />
        <code className={styles.path}>
          <span className={styles.folder}>{file.path.slice(0, slash)}</span>
          {file.path.slice(slash)}
        </code>
      </button>
      <IconButton icon={Copy} label="Copy path" size="small" onClick={() => copyText(file.path, 'Path copied.')} />
      {file.change === 'modified' ? null : (
        <span className={styles.tag} title={changeWords(file)}>
          <Tag>{changeWords(file)}</Tag>
        </span>
      )}
      {file.binary ? <Tag>Binary</Tag> : null}
      {file.additions === null || file.deletions === null ? null : (
        <Diffstat added={file.additions} removed={file.deletions} />
      )}
    </div>
  );
}

function changeWords({ change, old_path }: DiffFile): string {
  if (old_path !== null) {
    return `${change === 'copied' ? 'Copied' : 'Renamed'} from ${old_path}`;
  }
  return change === 'added' ? 'New file' : humanize(change);
}
