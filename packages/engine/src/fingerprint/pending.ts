import type { CallPrint } from '../prints.ts';
import { anyOf, STATE_FIELDS, WAITING_STATES } from './lexicon.ts';
import { FINAL, saysWaiting } from './state-answer.ts';

/**
 * Whether a result says that something is still in progress, so that asking again later is not a
 * repetition.
 */

const WAITING = anyOf(WAITING_STATES);
/** A state as the value of a field or as the last word, or a word with no other meaning. */
const STATE = String.raw`\b(?:${anyOf(STATE_FIELDS)}|health)\W{1,4}(?:is\W)?(?:${WAITING})\b|(?:\b|_)(?:pending|queued|in[ _-]progress|containercreating|not (?:yet )?ready)\b|: (?:${WAITING})\W*$`;
/**
 * Also: a cell of a table, a sentence about something in progress, fields that say so, a line that
 * ends in dots.
 */
const PENDING = [
  STATE,
  String.raw`(?:^|\s{2,}|\t|\|\s*)(?:${WAITING})(?=\s{2,}|\t|\s*\||\s*$)`,
  String.raw`\b(?:is|are|still|currently) (?:still )?(?:${WAITING})\b`,
  String.raw`^\W*(?:still )?a?waiting (?:for|on|to|until)\b`,
  String.raw`\b(?:done|ready|complete[d]?|finished|is_?(?:done|ready|complete|completed|finished)): false\b`,
  // What has not happened yet, and what nobody has decided or answered yet.
  String.raw`(?:\b|_)(?:completed|finished|ended|closed|resolved|approved|decided|shipped|delivered|merged|published|signed|paid|processed|answered|reviewed|confirmed)_?(?:at|on|by|date|time): null\b`,
  String.raw`(?:\b|_)(?:decision|verdict|approval|approver|conclusion|outcome|reply): null\b`,
  String.raw`\b(?:is_?)?(?:running|pending|processing|busy|in_?progress|building|deploying|queued): true\b`,
  String.raw`\bprogress\w*: \d?\d(?:\.\d+)? ?%?$`,
  // A share of something that goes on: `Rendering: 32 %`, `45% done`.
  String.raw`^\W*(?!passing|failing|missing|including|rating)\w+ing\b[^\n%]{0,40}\b\d?\d(?:\.\d+)? ?%\W*$`,
  String.raw`\b\d?\d(?:\.\d+)? ?% (?:done|complete|completed|finished|processed|uploaded|downloaded|rendered|imported|exported|indexed)\b`,
  String.raw`\bhttp(?:/[\d.]+)? 202\b|\b202 accepted\b`,
  String.raw`\bno new (?:output|lines?|logs?|messages?|events?)\b`,
  String.raw`(?:^\W*|: ?|[[("]|\bbutton )\w+ing(?: [\w./:-]+){0,4} ?(?:\.{3}|…)\W*$`,
];
const MAX_STATE_LENGTH = 400;
/**
 * A text without any of these stems cannot match. Checking them first matters: in a process that
 * handles one call, compiling the patterns would take longer than everything else.
 */
const STEMS =
  'pending queued running progress waiting initiali processing provision starting creating building deploying ready done complete finished ended closed resolved null busy 202 no_new % ... …'
    .split(' ')
    .map((stem) => stem.replace('_', ' '));

const hasStem = (text: string): boolean => {
  const small = text.toLowerCase();
  return STEMS.some((stem) => small.includes(stem));
};

let patterns: { any: RegExp; state: RegExp } | null = null;
const compiled = (): { any: RegExp; state: RegExp } => {
  patterns ??= { any: new RegExp(PENDING.join('|'), 'im'), state: new RegExp(STATE, 'i') };
  return patterns;
};

/** Programs that show what is running. They are called to see whether it still runs. */
const WATCHES = /^(?:ps|pgrep|jobs|nvidia-smi|squeue|qstat|docker (?:ps|stats))$/;
const LOG = /\.(?:log|out|err)$/i;
/** Tools that are named for polling: `poll_job`, `check_status`, `get_progress`. */
const NAMED = /(?:^|[^a-z])poll(?:[^a-z]|$)|(?:status|progress)$/i;
/** Only the agent itself changes these, so their status is not a poll. */
const NO_STATE = /git|repo|file|work/i;

/** An answer that names what was asked for, and says that it does not exist. */
const GONE =
  /^\W*(?:error: ?)?(?:no (?:\w+ ){1,2}(?:found|exists?|running|known) (?:for|with|under|named)\b|no such (?:session|process|job|task|shell|run|build)\b|[^\n]{0,60}\b(?:not found|does not exist|no longer exists)\b)/i;

/** Whether a poll answers that there is nothing to wait for. Asking again cannot change that. */
export const isGone = ({ poll, shell, tool }: CallPrint, text: string): boolean =>
  !shell && (poll || isNamedPoll(tool)) && text.length <= MAX_STATE_LENGTH && GONE.test(text);

const isNamedPoll = (tool: string): boolean => NAMED.test(tool) && !NO_STATE.test(tool);

/**
 * Whether the result of a look names a waiting state. The text of a file is content, unless the
 * file is a log.
 */
export function isPending(call: CallPrint, text: string): boolean {
  const { verb, shell, tool } = call;
  if (shell && WATCHES.test(tool)) return text.trim() !== '';
  if (text.length > MAX_STATE_LENGTH) return false;
  if (verb === 'execute') return shell && hasStem(text) && compiled().state.test(text);
  if (!isLookAtState(call)) return false;
  if ((hasStem(text) && compiled().any.test(text)) || saysWaiting(text)) return true;
  return !shell && isNamedPoll(tool) && text.trim() !== '' && !FINAL.test(text);
}

const isLookAtState = ({ verb, target, targetLabel }: CallPrint): boolean =>
  (verb === 'read' || verb === 'unknown') &&
  (!target?.startsWith('file:') || LOG.test(targetLabel));
