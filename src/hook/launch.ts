import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { ledgerPath } from '../ledger/sqlite/ledger-path.ts';

/** Put in by the build: names the program that stands below, in a comment of this very file. */
declare const UNRUT_HOOK: string;

/*
 * Most of the time of a short program goes into compiling it. So Node is shown a comment, and what V8 made of the program the last time is
 * kept beside the ledger. Without it, or when it was made by another Node, everything works the same and takes longer.
 */

/** Where the program begins. The second is its way to say what would end the comment. */
const MARK = '/*unrut\n';
const END = '*\u0001/';
const CHECKSUM = 4;

// Agents take any other exit code for a complaint, and some for a refusal.
process.on('uncaughtException', () => process.exit(0));

const text = readFileSync(__filename, 'latin1');
const source = text.slice(text.lastIndexOf(MARK) + MARK.length, text.lastIndexOf('*/')).replaceAll(END, '*/');
const folder = dirname(ledgerPath({ home: homedir(), variables: process.env, platform: process.platform }));
const path = join(folder, `hook-${UNRUT_HOOK}-${process.version}.cache`);

const cachedData = readCache();
const script = new Script(source, { filename: __filename, ...(cachedData ? { cachedData } : {}) });
const isKept = !cachedData || script.cachedDataRejected === true;
if (isKept) process.once('exit', writeCache);
script.runInThisContext()(builtin, isKept);

/** Modules of Node are loaded when something of them is used: most hooks use few. */
function builtin(name: string): object {
  return new Proxy({}, { get: (_, key) => (process.getBuiltinModule(name) as Record<PropertyKey, unknown>)[key] });
}

/** Only what this user wrote, and nobody else can change; V8 itself does not notice when it was damaged. */
function readCache(): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const { uid, mode } = fstatSync(file);
      if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
      const kept = readFileSync(file);
      const data = kept.subarray(CHECKSUM);
      return kept.length > CHECKSUM && kept.readUInt32LE(0) === checksumOf(data) ? data : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Of every 256th byte: enough to see that a page of the file was never written, in a hundredth of the time. */
function checksumOf(data: Uint8Array): number {
  let sum = data.length;
  for (let i = 0; i < data.length; i += 256) sum = (Math.imul(sum, 31) + data[i]!) >>> 0;
  return sum;
}

function writeCache(): void {
  try {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(CHECKSUM);
    checksum.writeUInt32LE(checksumOf(data));
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, Buffer.concat([checksum, data]), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // There is no ledger yet, or its folder cannot be written to.
  }
}
