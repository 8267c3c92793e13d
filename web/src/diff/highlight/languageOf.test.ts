import { expect, test } from 'vitest';

import { languageOf } from './languageOf';

test('the language of a file is known by its name', () => {
  expect(languageOf('src/http/router.rs')).toBe('rust');
  expect(languageOf('web/App.TSX')).toBe('tsx');
  expect(languageOf('deploy/Dockerfile')).toBe('docker');
  expect(languageOf('LICENSE')).toBeNull();
  expect(languageOf('constructor')).toBeNull();
});
