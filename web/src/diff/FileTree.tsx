import { ChevronDown, FileDiff, Folder, Search } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';

import type { DiffFile } from '../api/types';
import { classNames } from '../ui/classNames';
import { Diffstat } from '../ui/Diffstat';
import { Icon } from '../ui/Icon';
import { Kbd } from '../ui/Kbd';
import styles from './FileTree.module.css';
import { fileTree, type TreeNode } from './fileTree';

interface FileTreeProps {
  files: readonly DiffFile[];
  /** The file whose lines are at the top of the list. */
  current: string | undefined;
  searchRef: Ref<HTMLInputElement>;
  onOpen: (path: string) => void;
  /** Shown below the tree. */
  children?: ReactNode;
}

/** The changed files, to jump to. */
export function FileTree({ files, current, searchRef, onOpen, children }: FileTreeProps) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = wanted === '' ? files : files.filter(({ path }) => path.toLowerCase().includes(wanted));
  const openFirst = () => {
    const first = found[0];
    if (first !== undefined) {
      onOpen(first.path);
    }
  };
  return (
    <nav className={styles.panel} aria-label="Changed files">
      <div className={styles.search}>
        <Icon icon={Search} size={14} />
        <input
          ref={searchRef}
          type="search"
          aria-label="Find a file"
          placeholder="Find a file"
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') {
              openFirst();
            } else if (key === 'Escape') {
              setText('');
              currentTarget.blur();
            }
          }}
        />
        <Kbd keys="T" />
      </div>
      {found.length === 0 ? <p className={styles.empty}>No file matches.</p> : null}
      <Nodes nodes={fileTree(found)} current={current} onOpen={onOpen} depth={0} />
      {children}
    </nav>
  );
}

interface NodesProps extends Pick<FileTreeProps, 'current' | 'onOpen'> {
  nodes: readonly TreeNode[];
  depth: number;
}

function Nodes({ nodes, depth, ...rest }: NodesProps) {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.kind === 'file' ? node.file.path : node.path}>
          {node.kind === 'file' ? (
            <FileNode {...rest} node={node} depth={depth} />
          ) : (
            <FolderNode {...rest} node={node} depth={depth} />
          )}
        </li>
      ))}
    </ul>
  );
}

function FolderNode({ node, depth, ...rest }: Omit<NodesProps, 'nodes'> & { node: TreeNode & { kind: 'folder' } }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button
        type="button"
        className={styles.node}
        style={{ paddingLeft: 6 + depth * 14 }}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon icon={ChevronDown} size={14} className={classNames(!isOpen && styles.turned)} />
        <Icon icon={Folder} size={14} />
        <span className={styles.name}>{node.name}</span>
      </button>
      {isOpen ? <Nodes {...rest} nodes={node.children} depth={depth + 1} /> : null}
    </>
  );
}

function FileNode({ node, depth, current, onOpen }: Omit<NodesProps, 'nodes'> & { node: TreeNode & { kind: 'file' } }) {
  const { file, name } = node;
  const isCurrent = file.path === current;
  return (
    <button
      type="button"
      className={classNames(styles.node, isCurrent && styles.current)}
      style={{ paddingLeft: 26 + depth * 14 }}
      aria-current={isCurrent ? 'true' : undefined}
      title={file.path}
      onClick={() => onOpen(file.path)}
    >
      <Icon icon={FileDiff} size={14} />
      <span className={classNames(styles.name, styles.file, file.change === 'deleted' && styles.deleted)}>{name}</span>
      {file.additions === null || file.deletions === null ? null : (
        <Diffstat added={file.additions} removed={file.deletions} />
      )}
    </button>
  );
}
