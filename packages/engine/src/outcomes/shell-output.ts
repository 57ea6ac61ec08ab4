import type { Evidence } from './outcome.ts';

/** A sign in the output of a command that the command failed. */
interface Sign {
  /** In kebab-case. */
  name: string;
  /** Tested against each line at the end of the output. */
  line: RegExp;
  /** How many lines from the end it may stand. */
  within: number;
}

/** What the last lines of failed commands look like. */
export const failureSigns: readonly Sign[] = [
  {
    name: 'shell-complaint',
    line: /^(?:\/\S+\/)?(?:ba|z|da|k)?sh: |^zsh:\d+: |^\(eval\):\d+: /,
    within: 3,
  },
  { name: 'go-exit-status', line: /^(?:exit status [1-9]\d*|FAIL\b.*|panic: .*)$/, within: 6 },
];

/** Whether one of the signs stands at the end of the output. */
export const reportsFailure = ({ lastLines }: Evidence): boolean =>
  failureSigns.some(({ line, within }) =>
    lastLines.slice(0, within).some((each) => line.test(each)),
  );
