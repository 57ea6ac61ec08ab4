import { runnableHosts } from '../hosts/index.ts';

const programs = new Intl.ListFormat('en').format(runnableHosts.map(({ programs: [program] }) => program!));

/** What `unrut run --help` prints. */
export const HELP = `unrut run [options] <prompt.md> -- <agent command…>
unrut run [options] <roadmap.yaml> -- <agent command…>
unrut run --resume [run] [options]
unrut run status [run] [--json]

Runs an agent on a task again and again until it is done, and notices when it goes round in circles. The prompt goes to the command's
standard input, or replaces {prompt} in its arguments; ${programs} need no arguments at all. A roadmap
has tasks with dependencies and checks.

Options
  --max-iterations N     iterations, or attempts at one task of a roadmap (default 10)
  --max-runtime TIME     90s, 15m, 2h (default 15m; none for a roadmap)
  --max-cost DOLLARS     as far as the agent reports what it costs (default none)
  --max-errors N         failed iterations in a row (default 3)
  --iteration-timeout TIME   ends an iteration that takes longer (default none)
  --loop-threshold N     iterations alike that make a loop (default 3)
  --promise TEXT         what the agent prints at its end when it is done (default TASK_COMPLETE)
  --check COMMAND        the task is done when this succeeds; may be given several times
  --on-loop WHAT         continue, escalate or stop, without asking (default: asks at a terminal; elsewhere continue once, then stop)
  --parallel N           tasks of a roadmap at once, each in a git worktree
  --watch                waits for the roadmap to change when nothing is left to do
  --json                 prints how it ended as JSON; what the agent prints goes to standard error
  --resume [run]         goes on after Ctrl-C, a crash, a limit or a loop; the latest run of this folder
  --help

Exit codes: 0 done, 1 it cannot go on, 2 a limit, 3 a loop, 4 a person is needed, 64 wrong usage, 130 interrupted.`;
