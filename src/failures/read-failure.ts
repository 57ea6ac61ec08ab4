import type { CallFinished } from '../event.ts';
import type { CallPrint, ErrorPrint } from '../prints.ts';
import { worldOf } from '../tools/tool-role.ts';
import type { FailedCall } from './failure.ts';
import { failureOf } from './index.ts';
import { isWall, showsPage } from './page-wall.ts';

/** An error announces itself at the beginning, or sums itself up at the end. */
const OPENING = 1000;
const END = 600;
const PAGE = 8000;
const MAX_ADDRESS_LENGTH = 2000;

/** What a result says of the way in which its call failed, and of the page that it shows. */
export interface FailurePrint {
  /** The name of the failure; null when it is none. */
  failure: string | null;
  /** It shows a page that lets nobody pass; null where it shows no page. */
  wall: boolean | null;
}

const NONE: FailurePrint = { failure: null, wall: null };

/** Reads the way in which a call failed from the text of its result. */
export function readFailure(
  event: CallFinished,
  call: CallPrint,
  text: string,
  error: ErrorPrint | null,
  failures: number | null,
): FailurePrint {
  const world = worldOf(event.call.tool, call.target, call.shell);
  if (error === null && world !== 'page') return NONE;
  const page = world === 'page' ? text.slice(0, PAGE) : '';
  const isWalled =
    world === 'page' && isWall({ text: page, size: text.length, asked: addressIn(event.call.args), isError: error !== null });
  const failed: FailedCall = {
    verb: call.verb,
    world,
    shell: call.shell,
    error: error !== null,
    transient: error?.transient ?? false,
    failures,
    said: text.length <= OPENING + END ? text : `${text.slice(0, OPENING)}\n${text.slice(-END)}`,
    isWalled,
  };
  return { failure: failureOf(failed), wall: isWalled || showsPage(page) ? isWalled : null };
}

function addressIn(args: unknown): string {
  const { url, uri } = (typeof args === 'object' && args !== null ? args : {}) as { url?: unknown; uri?: unknown };
  const address = url ?? uri;
  return typeof address === 'string' && address.length <= MAX_ADDRESS_LENGTH ? address : '';
}
