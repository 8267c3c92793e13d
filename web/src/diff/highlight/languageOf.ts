import type { LANGUAGES } from './languages';

export type Language = keyof typeof LANGUAGES;

const BY_NAME: Readonly<Record<string, Language>> = {
  dockerfile: 'docker',
  containerfile: 'docker',
  makefile: 'make',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.bashrc': 'bash',
  'cargo.lock': 'toml',
};

const BY_EXTENSION: Readonly<Record<string, Language>> = {
  bash: 'bash',
  c: 'c',
  cc: 'cpp',
  cjs: 'javascript',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  cts: 'typescript',
  cxx: 'cpp',
  dart: 'dart',
  ex: 'elixir',
  exs: 'elixir',
  go: 'go',
  gql: 'graphql',
  graphql: 'graphql',
  h: 'c',
  hcl: 'terraform',
  hpp: 'cpp',
  hs: 'haskell',
  htm: 'html',
  html: 'html',
  java: 'java',
  js: 'javascript',
  json: 'json',
  jsonc: 'json',
  jsx: 'jsx',
  kt: 'kotlin',
  kts: 'kotlin',
  lua: 'lua',
  markdown: 'markdown',
  md: 'markdown',
  mjs: 'javascript',
  mk: 'make',
  mts: 'typescript',
  php: 'php',
  proto: 'proto',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  rs: 'rust',
  sass: 'scss',
  scala: 'scala',
  scss: 'scss',
  sh: 'bash',
  sql: 'sql',
  svelte: 'svelte',
  svg: 'xml',
  swift: 'swift',
  tf: 'terraform',
  toml: 'toml',
  ts: 'typescript',
  tsx: 'tsx',
  vue: 'vue',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zig: 'zig',
  zsh: 'bash',
};

/** The language of a file by its name; null for plain text. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const find = (table: Readonly<Record<string, Language>>, key: string) =>
    Object.hasOwn(table, key) ? (table[key] ?? null) : null;
  return find(BY_NAME, name) ?? find(BY_EXTENSION, extension);
}
