import { homedir } from 'node:os';
import type { NotifySettings } from '@unrut/ledger/config/settings';
import type { Escalation } from '@unrut/ledger/notify/notify';
import { HOOK_VARIABLES } from '../hosts/hook-variables.ts';
import { isStartedAlone } from './is-started-alone.ts';

/** A hook call, with everything that its answer may depend on. */
export interface HookRequest {
  /** The unparsed payload. */
  input: string;
  /** The variables that are used; others are omitted, since they may hold secrets. */
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: string;
  /** Record only. */
  shadow: boolean;
  /** The host named in the hook's command, if any. */
  said?: string;
  /** Where the hook is installed: `user`, or `project`. */
  from: string;
  /** The time of the call, in epoch milliseconds. Default: now. */
  at?: number;
  /** The agent has already continued: the call is only recorded. */
  late?: boolean;
}

/** Where the current hook is installed. */
const installedIn = (): string =>
  /[\\/]\.unrut[\\/]hook\.cjs$/.test(process.argv[1] ?? '') ? 'project' : 'user';

/** Parses `[agent] [--shadow]`; ignores anything else. */
export function calledWith(args: readonly string[]): Pick<HookRequest, 'shadow' | 'said'> {
  const said = args.find((each) => !each.startsWith('-'));
  return { shadow: args.includes('--shadow'), ...(said === undefined ? {} : { said }) };
}

/** This process's hook call, with everything that its answer may depend on. */
export const requestOf = (
  input: string,
  called: Pick<HookRequest, 'shadow' | 'said'>,
): HookRequest => ({
  input,
  environment: variablesRead(process.env),
  cwd: process.cwd(),
  home: homedir(),
  ...called,
  from: installedIn(),
});

/** The output and exit code of a hook process, and its notifications. */
export interface HookResponse {
  stdout: string;
  stderr?: string;
  exitCode: number;
  /**
   * Sent by the hook's own process, since the user's command may depend on its folder and
   * environment.
   */
  tell?: { notify?: NotifySettings | undefined; escalations: Escalation[] };
}

const READ = /^(?:UNRUT_.+|CI|PATH|XDG_\w+|APPDATA|LOCALAPPDATA)$/;
/** Secret variables for other parts of Unrut. */
const UNREAD = /^UNRUT_(?:TOKEN|DELIVERY)$/;

/**
 * The variables that an answer may depend on. Whether the agent was started unattended is derived
 * from its command line.
 */
function variablesRead(environment: NodeJS.ProcessEnv): HookRequest['environment'] {
  const read = Object.entries(environment).filter(
    ([name]) => (READ.test(name) && !UNREAD.test(name)) || HOOK_VARIABLES.includes(name),
  );
  return {
    ...(!environment.UNRUT_ATTENDED && isStartedAlone() ? { UNRUT_ATTENDED: 'false' } : {}),
    ...Object.fromEntries(read.filter(([, value]) => value)),
  };
}
