import type { HookReply } from './answer-hook.ts';

/** What one hook process hands to the one that stays: everything of it that the answer may depend on. */
export interface HookRequest {
  /** The payload, as it came. */
  input: string;
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** Record only. */
  shadow: boolean;
}

/** What a hook process prints, and ends with. */
export type Printed = Pick<HookReply, 'stdout' | 'exitCode'>;
