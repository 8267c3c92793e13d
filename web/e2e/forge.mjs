// The real server, on a fresh data directory and a port of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const LINK = /https?:\/\/\S+\/welcome#code=[\w-]+/;
const START_MS = 30_000;
const STOP_MS = 15_000;
const KEPT_OUTPUT = 20_000;

async function findBinary() {
  const { FORGE_TEST_BINARY, FORGE_BIN } = process.env;
  const named = FORGE_TEST_BINARY ?? FORGE_BIN;
  const built = ['release', 'debug'].map((profile) =>
    fileURLToPath(new URL(`../../target/${profile}/forge`, import.meta.url)),
  );
  const candidates = named === undefined ? built : [named];
  for (const path of candidates) {
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // The next one may be there.
    }
  }
  throw new Error(
    `There is no forge binary at ${candidates.join(' or ')}. Build it (cargo build --bin forge) or name one in FORGE_BIN.`,
  );
}

/** Starts the server; its one-time link, its output so far and a way to stop it. */
export async function startForge() {
  const binary = await findBinary();
  const dataDir = await mkdtemp(join(tmpdir(), 'forge-e2e-'));
  const child = spawn(binary, ['serve', '--data-dir', dataDir, '--bind', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  const ended = once(child, 'exit');

  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(force);
    }
    await rm(dataDir, { recursive: true, force: true });
  };

  try {
    const link = await new Promise((resolve, reject) => {
      const fail = (/** @type {string} */ why) => reject(new Error(`${binary} serve ${why}. It printed:\n${output}`));
      const timer = setTimeout(() => fail(`printed no one-time link within ${START_MS} ms`), START_MS);
      const read = (/** @type {Buffer} */ chunk) => {
        output = (output + chunk.toString()).slice(-KEPT_OUTPUT);
        const found = LINK.exec(output);
        if (found !== null) {
          clearTimeout(timer);
          resolve(found[0]);
        }
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('error', (error) => fail(`could not be started: ${error.message}`));
      child.once('exit', (code, signal) => fail(`ended with ${code ?? signal}`));
    });
    return { link, origin: new URL(link).origin, output: () => output, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
