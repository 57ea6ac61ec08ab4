import { hash32 } from '../hash.ts';
import { type Recent, recall, remember } from '../recent.ts';

/** A line `Key: value` at the beginning of a tool's results. */
interface HeaderLine {
  /** Hash of the key. */
  key: number;
  /** Hashes of the values so far, all different; null if the line turned out to be content. */
  values: number[] | null;
}

/** The header lines that each tool's results began with. */
export type HeaderState = Recent<HeaderLine[]>;

const MAX_TOOLS = 8;
const MAX_LINES = 8;
const MAX_KNOWN = 12;
/** A key is envelope if so many results had different values for it. */
const LEARNED_AFTER = 4;
const MAX_HEADER = 1000;

const KEY_VALUE = /^([A-Z][\w .-]{0,40}): (\S.{0,80})$/;
/**
 * Values of an envelope: an id of letters and digits, a point in time, or how long something took.
 * A plain number is never one, because it may be a quantity that shows progress.
 */
const ID = /^(?=[\w:.-]*\d)(?=[\w:.-]*[a-zA-Z])[\w-]{4,64}$/;
const TIME =
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\d\d:\d\d:\d\d|^\d+(?:\.\d+)? ?(?:ms|s|sec|seconds|µs)$/;

/**
 * Removes from the beginning of a text the lines that are envelope: those of the form `Key: value`
 * whose value was another id or time in each of the tool's last results. Remembers the others. A
 * value that the call itself names is content.
 */
export function withoutLearnedHeader(
  state: HeaderState,
  tool: string,
  text: string,
  args: unknown,
): string {
  const lines = text.slice(0, MAX_HEADER).split('\n', MAX_LINES);
  if (!KEY_VALUE.test(lines[0] ?? '')) return text;
  const name = String(hash32(tool));
  const known = recall(state, name) ?? remember(state, name, [], MAX_TOOLS);
  const asked = JSON.stringify(args ?? '').slice(0, 10 * MAX_HEADER);
  const kept: string[] = [];
  let length = 0;
  let removed = 0;
  for (const line of lines) {
    const [, key, value] = KEY_VALUE.exec(line) ?? [];
    if (key === undefined || value === undefined) break;
    length += line.length + 1;
    if (isEnvelope(known, hash32(key), value, asked)) removed++;
    else kept.push(line);
  }
  if (removed === 0) return text;
  return [...kept, text.slice(length)].join('\n');
}

function isEnvelope(known: HeaderLine[], key: number, value: string, asked: string): boolean {
  let line = known.find((each) => each.key === key);
  if (!line) {
    line = { key, values: [] };
    if (known.length < MAX_KNOWN) known.push(line);
  }
  if (line.values === null) return false;
  const hash = hash32(value);
  const isTime = TIME.test(value);
  // Two calls may take equally long, but an id that comes again names a thing.
  const isNoise =
    isTime || (ID.test(value) && !line.values.includes(hash) && !asked.includes(value));
  if (!isNoise) {
    line.values = null;
    return false;
  }
  if (line.values.length < LEARNED_AFTER && !line.values.includes(hash)) line.values.push(hash);
  return line.values.length >= LEARNED_AFTER;
}
