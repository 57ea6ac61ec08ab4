import { join } from 'node:path';
import type { Agent, Place } from './agents/agent.ts';
import { NESTED, type Reply, type Script, type ToolCall } from './model/model.ts';

/** Any model has enough of it then. */
const PATIENCE = 12;

const calls = (...these: ToolCall[]): Reply => ({ calls: these });

/** Whether a text tells the model that it goes in circles. */
export const isNote = (text: string): boolean => /\bNote: /.test(text);

/** Goes on until it is told; then says that it stops. */
const untilTold =
  (loop: (turn: number) => Reply): Script =>
  (turn, { news }) =>
    turn > PATIENCE || (turn > 1 && news.some(isNote)) ? { text: 'I stop here.' } : loop(turn);

type ScriptOf = (agent: Agent, place: Place) => Script;

/** The same failing command, until it is told. */
export const sameFailure: ScriptOf = ({ tools }) => untilTold(() => calls(tools.shell('sh check.sh')));

/** The same failing command, whatever it is told. */
export const insists: ScriptOf =
  ({ tools }) =>
  (turn) =>
    turn > PATIENCE ? { text: 'I stop here.' } : calls(tools.shell('sh check.sh'));

/** Two failing commands by turns. */
export const cycle: ScriptOf = ({ tools }) => untilTold((turn) => calls(tools.shell(turn % 2 ? 'sh check.sh' : 'sh lint.sh')));

/** Patches one line again and again, after one look at it. */
export const editStreak: ScriptOf = ({ tools }, { project }) =>
  untilTold((turn) => calls(turn === 1 ? tools.read(join(project, 'sum.txt')) : tools.edit(join(project, 'sum.txt'), `one ${turn - 1}`, `one ${turn}`)));

/** Three times the same in each response. */
export const duplicates: ScriptOf = ({ tools }) => untilTold(() => calls(...Array.from({ length: 3 }, () => tools.shell('sh check.sh'))));

/** Has another agent look, which does not stop until it is told. */
export const nested: ScriptOf = ({ tools }) => {
  const loop = untilTold(() => calls(tools.shell('sh check.sh')));
  return (turn, asked) => {
    if (asked.nested) return loop(turn, asked);
    return turn === 1 ? calls(tools.delegate(`Run the check ${NESTED}.`)) : { text: 'Done.' };
  };
};

/** Looks, runs the check, mends something, runs it again: work that repeats and gets on. */
export const noLoop: ScriptOf = ({ tools }, { project }) => {
  const sum = join(project, 'sum.txt');
  const steps = [
    tools.shell('sh check.sh'),
    tools.read(sum),
    tools.edit(sum, 'one 1', 'one 2'),
    tools.shell('sh lint.sh'),
    tools.read(join(project, 'check.sh')),
    tools.shell('ls'),
  ];
  return (turn) => (turn > steps.length ? { text: 'Done.' } : calls(steps[turn - 1]!));
};
