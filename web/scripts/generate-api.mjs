// Makes src/api/schema.ts from the OpenAPI snapshot; with --check only says whether it is current.
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const snapshot = new URL('../../docs/openapi.json', import.meta.url);
const schema = new URL('../src/api/schema.ts', import.meta.url);

const HEADER = '// Generated from docs/openapi.json by `npm run generate`. Change the server, not this file.\n\n';

/** @param {URL} url */
async function read(url) {
  try {
    return await readFile(url, 'utf8');
  } catch (error) {
    throw new Error(`${fileURLToPath(url)} cannot be read; the server's tests write docs/openapi.json`, {
      cause: error,
    });
  }
}

async function run() {
  const wanted = HEADER + astToString(await openapiTS(JSON.parse(await read(snapshot))));
  if (!process.argv.includes('--check')) {
    await writeFile(schema, wanted);
  } else if ((await read(schema)) !== wanted) {
    throw new Error('src/api/schema.ts is not made from the present docs/openapi.json: run `npm run generate`');
  }
}

run().catch((/** @type {Error} */ error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
