import { homedir } from 'node:os';
import type { NotifySettings } from '@unrut/ledger/config/settings';
import type { Escalation } from '@unrut/ledger/notify/notify';
import { HOOK_VARIABLES } from '../hosts/hook-variables.ts';
import { isStartedAlone } from './is-started-alone.ts';

/**
 * What one hook process hands to the one that stays: everything of it that the answer may depend
 * on.
 */
export interface HookRequest {
  /** The payload, as it came. */
  input: string;
  /** The variables that are read anywhere, and no others: some hold secrets. */
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: string;
  /** Record only. */
  shadow: boolean;
  /** The host whose hook this is said to be, if the command names one. */
  said?: string;
  /** Where the hook is installed: `user`, or `project`. */
  from: string;
  /** When it was called, in epoch milliseconds. Missing: now. */
  at?: number;
  /** Its agent has gone on: it is recorded, and nothing can be done about it. */
  late?: boolean;
}

/** Where the hook that was started is installed. */
const installedIn = (): string =>
  /[\\/]\.unrut[\\/]hook\.cjs$/.test(process.argv[1] ?? '') ? 'project' : 'user';

/** How a hook was called: `[agent] [--shadow]`. Anything else is ignored. */
export function calledWith(args: readonly string[]): Pick<HookRequest, 'shadow' | 'said'> {
  const said = args.find((each) => !each.startsWith('-'));
  return { shadow: args.includes('--shadow'), ...(said === undefined ? {} : { said }) };
}

/** What this process was asked, and all that the answer may depend on. */
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

/** What a hook process prints and ends with, and whom it tells. */
export interface HookResponse {
  stdout: string;
  stderr?: string;
  exitCode: number;
  /**
   * In the hook's own process, since the user's command may depend on its folder and environment.
   */
  tell?: { notify?: NotifySettings | undefined; escalations: Escalation[] };
}

const READ = /^(?:UNRUT_.+|CI|PATH|XDG_\w+|APPDATA|LOCALAPPDATA)$/;
/** Meant for other parts of Unrut, and secret. */
const UNREAD = /^UNRUT_(?:TOKEN|DELIVERY)$/;

/**
 * The variables that a hook's answer may depend on. An agent that was started to work by itself
 * need not say so in them.
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
