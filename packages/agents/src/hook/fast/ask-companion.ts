import { lstatSync, statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { HookRequest, HookResponse } from '../hook-request.ts';

/** What a companion says first, before it receives anything. */
export const READY = '+';

/**
 * Milliseconds until a companion that does not say that it is ready is stuck: the hook answers by
 * itself, and nobody should wait for it again.
 */
const FOR_READY = 2500;
/**
 * The same for its answer, counted from the start of the process: agents wait for ten seconds. Once
 * told, it records, whether or not the answer is heard.
 */
const FOR_ANSWER = 7000;
const LEAST_FOR_ANSWER = 1500;

/** Nothing is said; the companion records it. */
const TOO_LATE: HookResponse = { stdout: '', exitCode: 0 };

/**
 * The answer of the process that stays; nothing when there is none, or when it cannot. Never
 * throws.
 */
export function askCompanion(
  path: string,
  request: HookRequest,
): Promise<HookResponse | undefined> {
  return new Promise((resolve) => {
    let text = '';
    let timer: NodeJS.Timeout;
    const socket = connect(path);
    const done = (answer: HookResponse | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const giveUp = (): void => {
      // Whoever comes next need not try; one that works puts its address there again.
      try {
        unlinkSync(path);
      } catch {
        // Somebody else was faster.
      }
      done(undefined);
    };
    timer = setTimeout(giveUp, FOR_READY);
    socket.setEncoding('utf8').on('data', (part: string) => {
      const isFirst = text === '';
      text += part;
      if (!isFirst) return;
      if (!text.startsWith(READY)) return giveUp();
      clearTimeout(timer);
      const wait = Math.max(LEAST_FOR_ANSWER, FOR_ANSWER - performance.now());
      timer = setTimeout(() => done(TOO_LATE), wait);
      socket.end(JSON.stringify({ ...request, until: Date.now() + wait }));
    });
    socket.on('error', giveUp);
    socket.on('end', () => {
      const answer = read(text.slice(READY.length));
      if (answer === undefined) giveUp();
      else done(answer ?? undefined);
    });
  });
}

/** An answer; null where the companion leaves it to the hook; nothing if it is neither. */
function read(text: string): HookResponse | null | undefined {
  try {
    const answer = JSON.parse(text) as HookResponse | null;
    return answer === null ||
      (typeof answer.stdout === 'string' && Number.isInteger(answer.exitCode))
      ? answer
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether this user put it there, and nobody else could have: it will be told of what the agent
 * does, and is believed.
 */
export function isOurs(path: string): boolean {
  try {
    const user = process.getuid?.();
    const address = lstatSync(path);
    return address.isSocket() && address.uid === user && isPrivate(dirname(path));
  } catch {
    return false;
  }
}

/** A folder that nobody else can change. */
export function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}
