import { expect, test } from 'vitest';

import type { DiffFile } from '../api/types';
import { fileTree, inTreeOrder, type TreeNode } from './fileTree';

const files = (...paths: string[]) => paths.map((path) => ({ path }) as DiffFile);
const shape = (nodes: readonly TreeNode[]): unknown[] =>
  nodes.map((node) => (node.kind === 'file' ? node.name : [node.name, shape(node.children)]));

test('W-16: files form a tree, and folders of one folder share a line', () => {
  const list = files('README.md', 'src/http/router.rs', 'src/http/limits/bucket.rs', 'docs/guide/en/start.md');
  expect(shape(fileTree(list))).toEqual([
    ['docs/guide/en', ['start.md']],
    ['src/http', [['limits', ['bucket.rs']], 'router.rs']],
    'README.md',
  ]);
  expect(inTreeOrder(list).map(({ path }) => path)).toEqual([
    'docs/guide/en/start.md',
    'src/http/limits/bucket.rs',
    'src/http/router.rs',
    'README.md',
  ]);
  expect(fileTree([])).toEqual([]);
});
