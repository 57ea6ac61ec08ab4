import { chmodSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import type { Settings } from '../config/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { createSqliteLedger } from '../ledger/sqlite/create-sqlite-ledger.ts';
import type { HookRequest, Printed } from './hook-request.ts';
import { createKeptGuards } from './kept-guards.ts';
import { learnedLately } from './learned-lately.ts';
import { replyTo } from './reply-to.ts';

export interface CompanionOptions {
  /** Where hooks find it. */
  path: string;
  /** Milliseconds without a hook after which it ends. Default: ten minutes. */
  idle?: number;
}

const IDLE = 600_000;
/** How often it looks whether hooks can still find it. */
const LOOK = 2000;
/** Milliseconds for other writers: less than a hook waits for the answer. */
const WAIT = 800;
const LONGEST_REQUEST = 1 << 27;

/**
 * A process that answers hooks for those that agents start, so that they need not load the whole program each time: guards and ledger stay
 * open in it. Resolves when it is no longer needed: after a time without hooks, or when its address is gone or another's.
 */
export async function runCompanion({ path, idle = IDLE }: CompanionOptions): Promise<void> {
  process.emitWarning = () => {};
  const openLedger = ledgersByPath();
  const guards = createKeptGuards();
  const learned = learnedLately();
  let last = performance.now();
  let isWanted = true;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    last = performance.now();
    void readAll(socket)
      .then(async (text) => {
        const request = JSON.parse(text) as HookRequest;
        const { settings } = await replyTo(request, {
          openLedger,
          guards,
          learned,
          print: ({ stdout, exitCode }) => void socket.end(JSON.stringify({ stdout, exitCode } satisfies Printed)),
        });
        isWanted &&= settings.companion;
        // What cannot be answered here, the hook answers by itself.
      })
      .catch(() => socket.destroy());
  });
  await listen(path);
  const own = statSync(path).ino;

  async function listen(address: string): Promise<void> {
    // Bound beside its place and moved there: so it takes over from one that has died.
    const draft = `${address}.${process.pid}`;
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(draft, resolve));
    chmodSync(draft, 0o600);
    renameSync(draft, address);
    rmSync(`${address}.start`, { force: true });
  }

  await new Promise<void>((resolve) => {
    const look = setInterval(
      () => {
        const isFound = statSync(path, { throwIfNoEntry: false })?.ino === own;
        if (isFound && isWanted && performance.now() - last < idle) return;
        clearInterval(look);
        if (isFound) rmSync(path, { force: true });
        server.close(() => resolve());
      },
      Math.min(LOOK, idle),
    );
  });
}

/** Each ledger is opened once, and again when its file is another one. */
function ledgersByPath(): (where: Settings['ledger']) => Ledger {
  const open = new Map<string, { ledger: Ledger; file: number | undefined }>();
  const fileAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.ino;
  return (where) => {
    const key = JSON.stringify(where);
    const known = open.get(key);
    if (known && known.file === fileAt(where.path)) return known.ledger;
    void known?.ledger.close();
    const ledger = createSqliteLedger({ ...where, wait: WAIT });
    open.set(key, { ledger, file: fileAt(where.path) });
    return ledger;
  };
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const part of socket.setEncoding('utf8')) {
    text += part as string;
    if (text.length > LONGEST_REQUEST) throw new Error('expected less');
  }
  return text;
}
