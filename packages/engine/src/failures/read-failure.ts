import type { CallFinished } from '../event.ts';
import { hash32 } from '../hash.ts';
import type { CallPrint, ErrorPrint, FailurePrint } from '../prints.ts';
import { redact } from '../redact/redact.ts';
import { soundsGrave } from '../tools/grave-words.ts';
import { worldOf } from '../tools/tool-role.ts';
import type { FailedCall } from './failure.ts';
import { failureOf } from './index.ts';
import { shownAddress, wallIn } from './page-wall.ts';

/** An error announces itself at the beginning, or sums itself up at the end. */
const OPENING = 1000;
const END = 600;
const PAGE = 8000;
const MAX_ADDRESS_LENGTH = 2000;
const MAX_NAME_LENGTH = 80;
const MAX_MENTIONED = 6;

const NONE: FailurePrint = { failure: null, wall: null };

/** What errors suggest instead of the given value: a command, an option, a file, a locator. */
const OFFERED =
  /did you mean:?\s+(?:to (?:use|run) |one of (?:these|this|the following)?:?\s*)?["'`]?([\w@./:-]{2,60})|similar (?:\w+ ){1,3}(?:is|exists|are)\W{1,6}([\w@./:-]{2,60})|\) <[^\n]{0,200}> aka (getBy[^\n]{1,70})|\bvia the (\w{2,40}) tool instead/i;
const TOOL_NAMES = /\b[a-z][a-z\d]*(?:_[a-z\d]+)+\b/gi;

/** The element that a browser tool acted on, as the tool prints it. */
const ACTED = /```js\n[^`]{0,80}getBy([^`]{0,200})|locator resolved to (<[^\n]{1,300})/;

/** Reads from the text of a result how its call failed. */
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
  const wall =
    page === ''
      ? null
      : wallIn({
          text: page,
          size: text.length,
          asked: addressIn(event.call.args),
          isError: error !== null,
        });
  const failed: FailedCall = {
    verb: call.verb,
    world,
    shell: call.shell,
    error: error !== null,
    refusal: error?.refusal ?? null,
    transient: error?.transient ?? false,
    failures,
    said: text.length <= OPENING + END ? text : `${text.slice(0, OPENING)}\n${text.slice(-END)}`,
    isWalled: wall !== null && wall !== 'none',
  };
  const failure = failureOf(failed);
  const found = ACTED.exec(page);
  const acted = found?.[1] ?? found?.[2];
  const address = page === '' ? '' : shownAddress(page);
  return {
    failure: failure?.name ?? null,
    wall,
    ...(address === '' ? {} : { page: hash32(address) }),
    ...(acted === undefined ? {} : { grave: soundsGrave(acted) }),
    ...(error === null ? {} : namesIn(failed.said, failure?.names)),
  };
}

/** What the error itself suggests or names, if it can be repeated. */
function namesIn(
  said: string,
  own: RegExp | undefined,
): Pick<FailurePrint, 'offered' | 'about' | 'mentioned'> {
  const [offered, about] = [OFFERED, own].map((pattern) => {
    const found = pattern?.exec(said)?.slice(1);
    const name = found?.find((each) => each !== undefined)?.trim() ?? '';
    return name !== '' && isShowable(name, said) ? name : '';
  });
  const mentioned = [...new Set(said.match(TOOL_NAMES))].slice(0, MAX_MENTIONED);
  return {
    ...(offered ? { offered } : {}),
    ...(about ? { about: `\`${about}\`` } : {}),
    ...(mentioned.length > 0 ? { mentioned } : {}),
  };
}

/** A name that is not a secret by itself may still be part of one in its context. */
const isShowable = (name: string, said: string): boolean =>
  name.length <= MAX_NAME_LENGTH &&
  !/[`\p{Cc}]/u.test(name) &&
  redact(name) === name &&
  redact(said).includes(name);

function addressIn(args: unknown): string {
  const { url, uri } = (typeof args === 'object' && args !== null ? args : {}) as {
    url?: unknown;
    uri?: unknown;
  };
  const address = url ?? uri;
  return typeof address === 'string' && address.length <= MAX_ADDRESS_LENGTH ? address : '';
}
