import { chmodSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { present } from '@unrut/engine/json';
import { addressOf, type LedgerDrivers, openLedger } from '@unrut/ledger/open-ledger';
import { hookRecorder } from '../answer-hook.ts';
import type { HookRequest, HookResponse } from '../hook-request.ts';
import { learnedLately } from '../learned-lately.ts';
import { keepForLater, recordPending } from '../pending.ts';
import { type HookStore, type ReplyMeans, recordLate, replyTo } from '../reply-to.ts';
import { READY } from './ask-companion.ts';
import { closeInherited } from './close-inherited.ts';

export interface CompanionOptions {
  /** Where hooks find it. */
  path: string;
  /** For ledgers that are no files. */
  drivers: LedgerDrivers;
  /** Milliseconds without hooks after which it exits. Default: ten minutes. */
  idle?: number;
}

const IDLE = 600_000;
/** Milliseconds between checks that its address still exists. */
const LOOK = 2000;
/** Milliseconds for other writers. */
const WAIT = 700;
/** One that does not ask has gone. */
const SILENCE = 5000;
const MAX_REQUEST_LENGTH = 1 << 27;
/** A companion serves few agents at a time. */
const MAX_SESSIONS = 20;
const MAX_LEDGERS = 8;

/**
 * Answers hooks in one long-lived process with open guards and ledgers, so that hook processes need
 * not load the whole program. Resolves after a time without hooks, or when its address is gone or
 * replaced.
 */
export async function runCompanion({
  path,
  drivers,
  idle = IDLE,
}: CompanionOptions): Promise<void> {
  closeInherited();
  process.emitWarning = () => {};
  const started = Date.now();
  const means: ReplyMeans = {
    open: storesByPath(drivers),
    learned: learnedLately(),
    accept({ files }) {
      // A process loads a config that is a module only once, so it would not notice changes.
      isWanted = ![files.user, files.project].some(
        (file) => isProgram(file) && changedAt(file) > started,
      );
      if (!isWanted) throw new Error('the config has changed');
    },
  };
  let last = performance.now();
  let isWanted = true;

  /** The answer; null if the hook must find it by itself. */
  async function answer(text: string, isGone: () => boolean): Promise<HookResponse | null> {
    const { until, ...request } = JSON.parse(text) as HookRequest & { until: number };
    const late = Date.now() > until || isGone();
    try {
      const { reply, settings, afterwards } = await replyTo({ ...request, late }, means);
      if (reply.failed && late) keepForLater(dirname(path), request);
      void afterwards().then(() => recordPending(dirname(path), recordLate(means)));
      isWanted &&= settings.companion;
      const { stdout, stderr, exitCode, escalations, failed } = reply;
      const { notify } = settings;
      const said = { stdout, ...present({ stderr }), exitCode };
      return failed
        ? null
        : { ...said, ...(escalations.length > 0 ? { tell: { notify, escalations } } : {}) };
    } catch {
      return null;
    }
  }

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    last = performance.now();
    socket.setTimeout(SILENCE, () => socket.destroy());
    socket.write(READY);
    readAll(socket)
      .then(async (text) => socket.end(JSON.stringify(await answer(text, () => socket.destroyed))))
      .catch(() => socket.destroy());
  });
  await listen(server, path);
  const own = statSync(path).ino;

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

/** Binds to a temporary path and renames it, which replaces a dead companion's socket. */
async function listen(server: Server, path: string): Promise<void> {
  const draft = join(dirname(path), `hook.${process.pid}`);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(draft, resolve));
  try {
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  rmSync(`${path}.start`, { force: true });
}

const isProgram = (file: string | undefined): file is string =>
  file !== undefined && /\.[cm]?[jt]s$/.test(file);

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Opens each ledger once; beyond the limit, closes the one opened first. */
function storesByPath(drivers: LedgerDrivers): ReplyMeans['open'] {
  const open = new Map<string, Promise<HookStore>>();
  return (where) => {
    const key = JSON.stringify(where);
    const known = open.get(key);
    if (known) return known;
    const [oldest] = open.size < MAX_LEDGERS ? [] : open;
    if (oldest) {
      open.delete(oldest[0]);
      void oldest[1].then(({ ledger }) => ledger.close());
    }
    const store = openLedger(addressOf(where), drivers, { ...where, wait: WAIT }).then(
      (ledger) => ({
        ledger,
        recorder: hookRecorder(ledger, MAX_SESSIONS),
      }),
    );
    open.set(key, store);
    store.catch(() => open.delete(key));
    return store;
  };
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const part of socket.setEncoding('utf8')) {
    text += part as string;
    if (text.length > MAX_REQUEST_LENGTH) throw new Error('expected less');
  }
  return text;
}
