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
    throw new Error(`${fileURLToPath(url)} cannot be read`, { cause: error });
  }
}

const document = JSON.parse(await read(snapshot));
const wanted = HEADER + astToString(await openapiTS(document));

if (process.argv.includes('--check')) {
  if ((await read(schema)) !== wanted) {
    process.stderr.write('src/api/schema.ts is not made from the present docs/openapi.json: run `npm run generate`\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(schema, wanted);
}
