import { lstatSync, statSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import type { HookRequest, HookResponse } from '../hook-request.ts';

/** The first byte that a companion sends, before it receives anything. */
export const READY = '+';

/**
 * Milliseconds after which a companion that has not sent `READY` counts as stuck: the hook answers
 * by itself and removes its address.
 */
const FOR_READY = 2500;
/**
 * Milliseconds for the answer, from the start of the process; agents wait for ten seconds. Once the
 * companion has the request, it records it in any case.
 */
const FOR_ANSWER = 7000;
const LEAST_FOR_ANSWER = 1500;

/** An empty answer; the companion records the request. */
const TOO_LATE: HookResponse = { stdout: '', exitCode: 0 };

/** The companion's answer; undefined if there is none. Never throws. */
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
      // Removes the address, so that later hooks need not try; a working companion restores it.
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

/** The parsed answer; null if the companion leaves it to the hook; undefined if it is invalid. */
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
 * Whether only this user can have created the socket: it receives the agent's data and its answers
 * are trusted.
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

/** Whether nobody else can change the folder. */
export function isPrivate(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}
