import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' });
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'));

interface ClassUse {
  names: Set<string>;
  /** Some names are computed, so unused ones cannot be told. */
  isComputed: boolean;
}

/** The classes of each module that sources use by name. */
function usedClasses(): Map<string, ClassUse> {
  const used = new Map<string, ClassUse>();
  for (const file of sources) {
    const text = read(file);
    for (const [, variable = '', path = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const module = normalize(join(dirname(file), path));
      const use = used.get(module) ?? { names: new Set(), isComputed: false };
      for (const [, name = ''] of text.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, 'g'))) {
        use.names.add(name);
      }
      used.set(module, { ...use, isComputed: use.isComputed || text.includes(`${variable}[`) });
    }
  }
  return used;
}

const used = usedClasses();

describe('CSS modules', () => {
  it.each(files.filter((file) => file.endsWith('.module.css')))(
    '%s has every class that is used, and no other',
    (module) => {
      const text = read(module).replaceAll(/\/\*[\s\S]*?\*\//g, '');
      const defined = new Set([...text.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name));
      const { names, isComputed } = used.get(module) ?? { names: new Set<string>(), isComputed: false };
      expect([...names].filter((name) => !defined.has(name))).toEqual([]);
      expect(isComputed ? [] : [...defined].filter((name) => !names.has(name))).toEqual([]);
    },
  );
});
