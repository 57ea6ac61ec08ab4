import { closeSync, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { ledgerPath } from '../ledger/sqlite/ledger-path.ts';

/** Put in by the build: names the program that stands below, in a comment of this very file. */
declare const UNRUT_HOOK: string;

/*
 * Most of the time of a short program goes into compiling it. So Node is shown a comment, and what V8 made of the program the last time is
 * kept beside the ledger. Without it, or when it was made by another Node, everything works the same and takes longer.
 */

const MARK = '\n/*';
const CHECKSUM = 4;

const text = readFileSync(__filename, 'latin1');
const source = text.slice(text.lastIndexOf(MARK) + MARK.length, text.lastIndexOf('*/'));
const folder = dirname(ledgerPath({ home: homedir(), variables: process.env, platform: process.platform }));
const path = join(folder, `hook-${UNRUT_HOOK}-${process.version}.cache`);

const cachedData = readCache();
const script = new Script(`(function(require){${source}\n})`, { filename: __filename, ...(cachedData ? { cachedData } : {}) });
if (!cachedData || script.cachedDataRejected) process.once('exit', writeCache);
script.runInThisContext()(createRequire(__filename));

/** Only what this user wrote, and nobody else can change; V8 itself does not notice when it was damaged. */
function readCache(): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const { uid, mode } = fstatSync(file);
      if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
      const kept = readFileSync(file);
      const data = kept.subarray(CHECKSUM);
      return kept.length > CHECKSUM && kept.readUInt32LE(0) === crc32(data) ? data : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function writeCache(): void {
  try {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(CHECKSUM);
    checksum.writeUInt32LE(crc32(data));
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, Buffer.concat([checksum, data]), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // There is no ledger yet, or its folder cannot be written to.
  }
}
