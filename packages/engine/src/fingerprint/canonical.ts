import { hash64 } from '../hash.ts';
import { foldKey } from '../json.ts';
import { CALL_IDS } from './lexicon.ts';

/**
 * Names whose values change on every call without meaning anything, in arguments and in results
 * (compared without case, `_` and `-`).
 */
export const VOLATILE: ReadonlySet<string> = new Set(CALL_IDS.map(foldKey));

/** Arguments in which a model gives its reason for a call. */
const INTENT = new Set([
  'intent',
  'explanation',
  'rationale',
  'reasoning',
  'thought',
  'toolsummary',
  'justification',
]);

/** Longer strings are replaced by their hash. */
const MAX_TEXT_LENGTH = 4096;
const MAX_DEPTH = 64;
const MAX_NODES = 10_000;

export interface CanonicalOptions {
  /** Names of further arguments to ignore. */
  freeText?: readonly string[];
  /** Dotted paths of the arguments that alone identify the call. */
  identity?: readonly string[] | null;
}

/**
 * Arguments as text, equal exactly if the calls are equal: keys sorted (RFC 8785 order), volatile
 * and free-text arguments dropped, missing and undefined treated alike. Works for any input in
 * bounded time: what is too deep, too large or cyclic ends in a marker.
 */
export function canonical(args: unknown, options: CanonicalOptions = {}): string {
  const writer = new Writer(options.freeText ?? []);
  if (options.identity) {
    return options.identity
      .map((path) => `${JSON.stringify(path)}:${writer.value(at(args, path), 0)}`)
      .join(',');
  }
  return writer.value(args, 0);
}

/** The value at a dotted path; undefined if there is none. */
function at(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<string, unknown>)[name];
  }
  return here;
}

class Writer {
  private nodes = 0;
  private readonly freeText: readonly string[];

  constructor(freeText: readonly string[]) {
    this.freeText = freeText;
  }

  value(value: unknown, depth: number): string {
    this.nodes++;
    if (this.nodes > MAX_NODES || depth > MAX_DEPTH) return '"…"';
    switch (typeof value) {
      case 'string':
        return value.length > MAX_TEXT_LENGTH
          ? `"#${value.length}.${hash64(value)}"`
          : JSON.stringify(value);
      case 'number':
        return Number.isFinite(value) ? JSON.stringify(value) : `"${value}"`;
      case 'boolean':
        return value ? 'true' : 'false';
      case 'bigint':
        return `"${value}n"`;
      case 'object':
        if (value === null) return 'null';
        return Array.isArray(value)
          ? this.array(value, depth)
          : this.object(value as Record<string, unknown>, depth);
      default:
        return 'null';
    }
  }

  private array(values: unknown[], depth: number): string {
    let text = '[';
    for (let i = 0; i < values.length && this.nodes <= MAX_NODES; i++)
      text += `${i ? ',' : ''}${this.value(values[i], depth + 1)}`;
    return `${text}]${this.nodes > MAX_NODES ? values.length : ''}`;
  }

  private object(record: Record<string, unknown>, depth: number): string {
    const names = Object.keys(record);
    const kept = names.filter((name) => record[name] !== undefined && !this.ignored(name, depth));
    // If a call has no other arguments, the ignored ones are all that tells calls apart.
    const used =
      kept.length > 0 || depth > 0 ? kept : names.filter((name) => record[name] !== undefined);
    used.sort();
    let text = '{';
    for (let i = 0; i < used.length && this.nodes <= MAX_NODES; i++) {
      const name = used[i]!;
      text += `${i ? ',' : ''}${JSON.stringify(name)}:${this.value(record[name], depth + 1)}`;
    }
    return `${text}}${this.nodes > MAX_NODES ? names.length : ''}`;
  }

  private ignored(name: string, depth: number): boolean {
    const folded = foldKey(name);
    return (
      VOLATILE.has(folded) || (depth === 0 && (INTENT.has(folded) || this.freeText.includes(name)))
    );
  }
}
