import { UnrutError } from '@unrut/engine/errors';
import { canonical, readProposed, readWorld, startFolders } from '@unrut/engine/fingerprint';
import type { CallPrint } from '@unrut/engine/prints';
import { redact } from '@unrut/engine/redact/redact';
import { readShell } from '@unrut/engine/shell/shell';
import { printable } from '@unrut/engine/text/printable';
import { profileOf } from '@unrut/engine/tools';
import type { ToolDeclaration } from '@unrut/engine/tools/profile';
import type { ExplainTextOptions } from './run-text.ts';

/** A call as detectors see it: the output of `--call --json`. */
export interface CallExplained extends CallPrint {
  /** The redacted text from which its key is computed, besides the tool. */
  identity: string;
  /**
   * Whether the answer can change without the agent's action, judging by the call alone, and the
   * rule that decides. The result, background work and silence may change this.
   */
  world: string;
}

/**
 * A call as detectors see it. The input has the format of detector READMEs: `Bash
 * {"command":"ls"}`.
 */
export function explainCall(
  given: string,
  tools: Readonly<Record<string, ToolDeclaration>> = {},
): CallExplained {
  const { tool, args } = parseCall(given);
  const declared = tools[tool];
  const profile = profileOf(tool, args, undefined, declared);
  const identity =
    profile.shell === null ? redact(canonical(args, profile)) : commandIdentity(profile.shell);
  const call = readProposed({
    call: { id: '', tool, args },
    annotations: undefined,
    declared,
    folders: startFolders(),
    seed: 0,
  });
  const { world, rule } = readWorld({
    call,
    result: undefined,
    gap: 0,
    interval: 0,
    watches: false,
    waited: false,
    repeated: false,
    job: false,
    jobFile: false,
    changed: false,
  });
  return { ...call, identity, world: `${world} (${rule})` };
}

function commandIdentity(command: string): string {
  const { canonical: runs, directory } = readShell(command);
  return redact(directory === null ? runs : `${runs} (in ${directory})`);
}

function parseCall(given: string): { tool: string; args: unknown } {
  const [, tool, json] = /^\s*([^\s{[]\S*)\s*(.*)$/s.exec(given) ?? [];
  try {
    if (tool !== undefined) return { tool, args: JSON.parse(json || '{}') };
  } catch {
    // Said below.
  }
  throw new UnrutError(
    'usage',
    `--call takes a tool and its arguments as JSON, such as 'Bash {"command":"ls"}'; got ${printable(redact(given)) || 'nothing'}.`,
  );
}

/** The displayed fields of a call, with their meanings. */
const FIELDS = {
  tool: 'what is called: of a shell command, its program',
  identity: 'what its key is made of, beside the tool',
  key: 'equal keys are the same call',
  shape: 'the key with numbers masked',
  verb: 'what it does to its target',
  target: 'what it touches',
  targets: 'each thing that it touches',
  targetLabel: 'the target for a reader',
  space: 'where the target lives',
  wide: 'its answer depends on more than its target',
  effect: 'what it can change: nothing, its target, or anything',
  look: 'it is a fresh look at its target',
  patch: 'it counts for edit streaks',
  poll: 'it is asked again to see whether something has changed',
  asks: 'what it asks for: the state of something that runs, or content',
  world: 'whether its answer can change by itself, and the rule that says so',
  clears: 'which edit streaks it ends without a look',
  region: 'the lines that it replaces and leaves, hashed',
} satisfies Partial<Record<keyof CallExplained, string>>;

/** A longer value pushes its meaning to the right. */
const MAX_VALUE = 24;

/** Calls as detectors see them, for a terminal: one field per line. */
export function callText(
  calls: readonly CallExplained[],
  { paint }: Pick<ExplainTextOptions, 'paint'>,
): string[] {
  return calls.flatMap((call, i) => {
    const same = calls.findIndex(({ key }) => key === call.key);
    const title = `${call.label}${same === i ? '' : ` (the same call as number ${same + 1})`}`;
    const fields = (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).filter(
      (name) => call[name] !== undefined && call[name] !== '',
    );
    const shown = (name: keyof typeof FIELDS): string => {
      const value = call[name];
      return printable(
        typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(value),
      );
    };
    const width = Math.max(
      ...fields.map((name) => shown(name).length).filter((length) => length <= MAX_VALUE),
    );
    const line = (name: keyof typeof FIELDS): string =>
      `   ${paint.bold(name.padEnd(13))}${shown(name).padEnd(width)}  ${paint.dim(FIELDS[name])}`;
    return [...(i === 0 ? [] : ['']), paint.bold(printable(title)), ...fields.map(line)];
  });
}
