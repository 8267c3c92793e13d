import type { DiffFile } from '../api/types';

/** A folder or a file of the tree. */
export type TreeNode =
  | { kind: 'folder'; name: string; path: string; children: readonly TreeNode[] }
  | { kind: 'file'; name: string; file: DiffFile; index: number };

interface OpenFolder {
  folders: Map<string, OpenFolder>;
  files: { name: string; file: DiffFile; index: number }[];
}

/** The files as a tree, folders first. A folder that holds only another folder shares its line. */
export function fileTree(files: readonly DiffFile[]): TreeNode[] {
  const root: OpenFolder = { folders: new Map(), files: [] };
  files.forEach((file, index) => {
    const parts = file.path.split('/');
    const name = parts.pop() ?? file.path;
    let folder = root;
    for (const part of parts) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push({ name, file, index });
  });
  return nodesOf(root, '');
}

function nodesOf(folder: OpenFolder, path: string): TreeNode[] {
  const folders = [...folder.folders].map(([name, inner]) => {
    let [label, open] = [name, inner];
    for (let only = onlyFolder(open); only !== null; only = onlyFolder(open)) {
      label += `/${only[0]}`;
      open = only[1];
    }
    const place = `${path}${label}/`;
    return { kind: 'folder' as const, name: label, path: place, children: nodesOf(open, place) };
  });
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  return [
    ...folders.toSorted(byName),
    ...folder.files.toSorted(byName).map((file) => ({ kind: 'file' as const, ...file })),
  ];
}

function onlyFolder({ folders, files }: OpenFolder): [string, OpenFolder] | null {
  return folders.size === 1 && files.length === 0 ? ([...folders][0] ?? null) : null;
}

/** The files in the order in which the tree shows them. */
export function inTreeOrder(files: readonly DiffFile[]): DiffFile[] {
  const flat = (nodes: readonly TreeNode[]): DiffFile[] =>
    nodes.flatMap((node) => (node.kind === 'file' ? [node.file] : flat(node.children)));
  return flat(fileTree(files));
}
