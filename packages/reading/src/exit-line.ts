import { textOf } from '@unrut/engine/json';
import type { Returned } from './importer.ts';

/** Longer than any line in which a host says how a command ended. */
const LAST = 80;

/**
 * A result without the line at its end in which the host says with which code the command ended,
 * and that code.
 */
export function withoutExitLine(
  result: unknown,
  line: RegExp,
): Pick<Returned, 'result' | 'exitCode'> {
  const text = textOf(result);
  const [said, code] = line.exec(text.slice(-LAST)) ?? [];
  if (said === undefined) return result === undefined ? {} : { result };
  return { result: text.slice(0, text.length - said.length), exitCode: Number(code) };
}
