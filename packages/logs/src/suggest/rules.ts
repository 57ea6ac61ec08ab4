import { settingIn } from '@unrut/agents/hosts/permission-line';
import type { Suggestion } from '@unrut/ledger/report/scan-report';
import { stableText } from '../scan/stable-text.ts';
import type { CallSeen } from './call-memory.ts';
import { alternativeTo, sharedAlternative } from './instead.ts';
import { watchInstead } from './watch-instead.ts';

/** A loop as the rules see it. */
export interface LoopSeen {
  detector: string;
  /** Calls from its first to its last step. */
  calls: readonly CallSeen[];
  /** Calls of the same run that followed. */
  later: readonly CallSeen[];
  /** The host that `unrut install` can connect, unless Unrut already guarded the run. */
  unguarded?: string;
}

/** A rule's facts about one loop. Plain JSON. */
export interface Facts {
  /** Equal for runs that the same change would help. */
  key: string;
  label: string;
  error?: string;
  allow?: string;
  ms?: number;
  /** A similar command that worked later. */
  instead?: string;
}

/** The text of a suggestion, from the facts of all runs. */
export interface Change extends Pick<Suggestion, 'text' | 'add' | 'file'> {
  /** The keys of the list or object in `file` to extend. */
  under?: string[];
}

/** A change that would have prevented a loop. The first matching rule decides. */
export interface SuggestRule {
  name: string;
  kind: Suggestion['kind'];
  /** Also matches notes about waiting, which are not loops. */
  forNotes?: true;
  facts(loop: LoopSeen): Facts | undefined;
  change(facts: readonly Facts[], instructions: string): Change | undefined;
}

/** Min number of occurrences of a loop's main call. */
const OFTEN = 2;

/** The calls with the most frequent key. */
function mostOf(
  calls: readonly CallSeen[],
  by: (call: CallSeen) => string | undefined,
): CallSeen[] | undefined {
  const groups = Map.groupBy(
    calls.filter((call) => by(call) !== undefined),
    by,
  );
  const [most] = [...groups.values()].sort((one, other) => other.length - one.length);
  return most && most.length >= OFTEN ? most : undefined;
}

/** Masks numbers, so that equal failures have equal messages. */
const stableError = (text: string): string => stableText(text).replace(/\d+/g, '#');

/** Tool or model text in backticks, on one line. */
const quoted = (text: string): string => `\`${text.replace(/[`\s]+/g, ' ').trim()}\``;

const failure = ({ label, error }: CallSeen): string | undefined =>
  error === null ? undefined : JSON.stringify([stableText(label), stableError(error)]);

const permission: SuggestRule = {
  name: 'permission',
  kind: 'permission',
  facts({ calls }) {
    const [call] = mostOf(calls, ({ allow }) => allow) ?? [];
    return call && { key: call.allow!, label: call.label, allow: call.allow! };
  },
  change([first]) {
    const setting = settingIn(first!.allow!);
    return (
      setting && {
        text: `${quoted(first!.label)} was rejected again and again for want of a permission. If it should be allowed, ${first!.allow}.`,
        ...setting,
      }
    );
  },
};

const unknownTool: SuggestRule = {
  name: 'unknown-tool',
  kind: 'instruction',
  facts({ calls }) {
    const [call] =
      mostOf(
        calls.filter(({ isUnknownTool }) => isUnknownTool),
        ({ tool }) => tool,
      ) ?? [];
    return call && { key: call.tool, label: call.tool };
  },
  change: ([first], file) => ({
    text: `The agent called the tool ${quoted(first!.label)}, which does not exist.`,
    file,
    add: `- There is no tool ${quoted(first!.label)}. Use the tools that are listed.`,
  }),
};

/** Tool names that a config can contain unchanged. */
const TOOL_NAME = /^[\w.:/-]{1,80}$/;
/** Max number of steps after which a changed answer ends the waiting. */
const SOON = 6;

const poll: SuggestRule = {
  name: 'poll',
  kind: 'config',
  facts({ calls, later }) {
    const same = mostOf(
      calls.filter(({ isShell, error, digest }) => !isShell && error === null && digest !== ''),
      ({ key }) => key,
    );
    const first = same?.[0];
    if (!first || !TOOL_NAME.test(first.tool)) return undefined;
    const soon = later.slice(0, SOON);
    const end = soon.findIndex(({ key }) => key === first.key);
    const answer = soon[end];
    const waited = answer && answer.error === null && answer.digest !== same.at(-1)!.digest;
    const others = [...calls, ...soon.slice(0, end)].filter(({ key }) => key !== first.key);
    // The agent's own changes in between may have changed the answer.
    if (!waited || others.some(({ changes }) => changes)) return undefined;
    return { key: first.tool, label: first.tool };
  },
  change: ([first]) => ({
    text: `${quoted(first!.label)} gave the same answer several times, and then another one although the agent had changed nothing: it is asked to see whether something has changed.`,
    file: 'unrut.config.json',
    under: ['tools'],
    add: `${JSON.stringify(first!.label)}: { "poll": true }`,
  }),
};

const waitingCommand: SuggestRule = {
  name: 'waiting-command',
  kind: 'instruction',
  forNotes: true,
  facts({ calls }) {
    const [call] =
      mostOf(
        calls.filter(({ isShell, label }) => isShell && watchInstead(label) !== undefined),
        ({ label }) => watchInstead(label),
      ) ?? [];
    return call && { key: watchInstead(call.label)!, label: call.label };
  },
  change: ([first], file) => ({
    text: `${quoted(first!.label)} was run again and again to wait for something.`,
    file,
    add: `- To wait, run ${quoted(watchInstead(first!.label)!)} once instead of repeating ${quoted(first!.label)}.`,
  }),
};

const failingCommand: SuggestRule = {
  name: 'failing-command',
  kind: 'instruction',
  facts({ calls, later }) {
    const same = mostOf(
      calls.filter(({ isShell }) => isShell),
      failure,
    );
    const [first] = same ?? [];
    if (!first) return undefined;
    const ms = same!.flatMap((call) => call.ms ?? []);
    const instead = alternativeTo(first.label, later);
    return {
      key: failure(first)!,
      label: first.label,
      error: first.error!,
      // The shortest duration: others may include waiting for the user's permission.
      ...(ms.length > 0 ? { ms: Math.min(...ms) } : {}),
      ...(instead === undefined ? {} : { instead }),
    };
  },
  change(facts, file) {
    const { label, error } = facts[0]!;
    const times = facts.flatMap(({ ms }) => ms ?? []);
    const ms = times.length === 0 ? 0 : Math.min(...times);
    const takes = ms >= SLOW_MS ? `takes ${Math.round(ms / 1000)} s and ` : '';
    const instead = sharedAlternative(
      label,
      facts.flatMap((each) => each.instead ?? []),
    );
    const fails = `${quoted(label)} ${takes}fails with ${quoted(error!)}`;
    return {
      text: `${fails}. The agent ran it again and again.`,
      file,
      add: instead
        ? `- Run ${quoted(instead)}. ${quoted(label)} alone ${takes}fails with ${quoted(error!)}.`
        : `- ${fails}. Do not run it again before that is fixed.`,
    };
  },
};

/** From this duration, the suggestion mentions it. */
const SLOW_MS = 30_000;

const failingLook: SuggestRule = {
  name: 'failing-look',
  kind: 'instruction',
  facts({ calls }) {
    // Without a target the label would blame the tool, and an action may be right with other
    // arguments.
    const looks = calls.filter(
      ({ isShell, changes, label, tool }) => !isShell && !changes && label !== tool,
    );
    const [call] = mostOf(looks, failure) ?? [];
    return call && { key: failure(call)!, label: call.label, error: call.error! };
  },
  change([first], file) {
    const fails = `${quoted(first!.label)} fails with ${quoted(first!.error!)}`;
    return {
      text: `${fails}. The agent looked again and again.`,
      file,
      add: `- ${fails}. Do not look there again.`,
    };
  },
};

/** Loops of these detectors are equal whatever is read. */
const BY_KIND = new Set(['amnesia']);

const guard: SuggestRule = {
  name: 'guard',
  kind: 'hook',
  facts({ detector, calls, unguarded }) {
    if (unguarded === undefined) return undefined;
    const labels = [...new Set(calls.map(({ label }) => stableText(label)))].sort();
    if (BY_KIND.has(detector)) return { key: detector, label: unguarded };
    return labels.length === 0
      ? undefined
      : { key: JSON.stringify([detector, labels]), label: unguarded };
  },
  change: ([first]) => ({
    text: 'No line of instructions would have ended this loop. A hook tells the agent while it repeats itself.',
    file: '',
    add: `npx unrut install ${first!.label}`,
  }),
};

/** In order of precedence: the most specific change first. */
export const suggestRules: readonly SuggestRule[] = [
  permission,
  unknownTool,
  poll,
  waitingCommand,
  failingCommand,
  failingLook,
  guard,
];
