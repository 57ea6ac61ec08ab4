import { closeSync, fstatSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { ledgerPath } from '../ledger/sqlite/ledger-path.ts';
import { askCompanion, isOurs } from './ask-companion.ts';
import { type Answer, variablesRead } from './hook-request.ts';
import { leave } from './leave.ts';
import { print } from './print.ts';
import { FOR_INPUT, readStandardInput } from './read-standard-input.ts';

/** Put in by the build: names the program that stands below, in a comment of this very file. */
declare const UNRUT_HOOK: string;

/*
 * Most of the time of a short program goes into compiling it. So Node is shown a comment, and what V8 made of the program the last time is
 * kept beside the ledger, and the program with it, so that this file need not be read twice. Without it, or when it was made by another Node, everything works the same and takes longer.
 */

/** Where the program begins. The second is its way to say what would end the comment. */
const MARK = '/*unrut\n';
const END = '*\u0001/';
/** What is kept begins with two numbers of four bytes: a checksum of the rest, and the length of the program, which comes first. */
const HEADER = 8;

interface Kept {
  source: string;
  cachedData: Buffer;
}

// Agents take any other exit code for a complaint, and some for a refusal.
process.on('uncaughtException', () => process.exit(0));

const folder = dirname(ledgerPath({ home: homedir(), variables: process.env, platform: process.platform }));
const place = join(folder, `hook-${UNRUT_HOOK}-${process.version}`);
const companion = `${place}.socket`;

if (!process.argv.includes('--companion') && isOurs(companion)) void askFirst();
else run();

/** Where a process stays that answers hooks, this one only carries question and answer. */
async function askFirst(): Promise<void> {
  const input = await readStandardInput(FOR_INPUT);
  if (input === undefined) return leave();
  const shadow = process.argv.includes('--shadow');
  const request = { input, environment: variablesRead(process.env), cwd: process.cwd(), home: homedir(), shadow };
  const reply = await askCompanion(companion, request);
  if (!reply) return run(input);
  print(reply.stdout);
  if (reply.tell) run(undefined, reply);
  else process.exit(reply.exitCode);
}

function run(input?: string, answered?: Answer): void {
  const path = `${place}.cache`;
  const kept = readCache(path);
  const source = kept?.source ?? ownSource();
  const script = new Script(source, { filename: __filename, ...(kept ? { cachedData: kept.cachedData } : {}) });
  const isKept = !kept || script.cachedDataRejected === true;
  if (isKept) process.once('exit', () => writeCache(path, source, script));
  script.runInThisContext()(builtin, isKept, input, answered, companion, __filename);
}

function ownSource(): string {
  const text = readFileSync(__filename, 'latin1');
  return text.slice(text.lastIndexOf(MARK) + MARK.length, text.lastIndexOf('*/')).replaceAll(END, '*/');
}

/** Modules of Node are loaded when something of them is used: most hooks use few. */
function builtin(name: string): object {
  return new Proxy({}, { get: (_, key) => (process.getBuiltinModule(name) as Record<PropertyKey, unknown>)[key] });
}

/** Only what this user wrote, and nobody else can change; V8 itself does not notice when it was damaged. */
function readCache(path: string): Kept | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const { uid, mode, size } = fstatSync(file);
      if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return undefined;
      const bytes = Buffer.allocUnsafeSlow(size);
      if (readSync(file, bytes) < size || size < HEADER || bytes.readUInt32LE(0) !== checksumOf(bytes)) return undefined;
      const end = HEADER + bytes.readUInt32LE(4);
      return { source: bytes.toString('latin1', HEADER, end), cachedData: bytes.subarray(end) };
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Of every 256th byte: enough to see that a page of the file was never written, in a hundredth of the time. */
function checksumOf(bytes: Uint8Array): number {
  let sum = bytes.length;
  for (let i = HEADER; i < bytes.length; i += 256) sum = (Math.imul(sum, 31) + bytes[i]!) >>> 0;
  return sum;
}

function writeCache(path: string, source: string, script: Script): void {
  try {
    const header = Buffer.alloc(HEADER);
    header.writeUInt32LE(source.length, 4);
    const bytes = Buffer.concat([header, Buffer.from(source, 'latin1'), script.createCachedData()]);
    bytes.writeUInt32LE(checksumOf(bytes));
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    // There is no ledger yet, or its folder cannot be written to.
  }
}
