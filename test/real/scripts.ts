import { join } from 'node:path';
import { REMOVED_NAMES } from '../scenarios/content.ts';
import type { Agent, Place } from './agents/agent.ts';
import { heardIn } from './heard-in.ts';
import { NESTED, type Reply, type Script, type ToolCall } from './model/model.ts';

/** The script of one run. */
export type ScriptOf = (agent: Agent, place: Place) => Script;

/** Any model has enough of it then. */
const MAX_TURNS = 9;

const calls = (...these: ToolCall[]): Reply => ({ calls: these });

/** Says one thing after the other, and then that it is done. */
const inTurn =
  (...replies: Reply[]): Script =>
  (turn) =>
    replies[turn - 1] ?? { text: 'Done.' };

/** Goes on until Unrut says something. */
function untilTold(loop: (turn: number) => Reply, most = MAX_TURNS): Script {
  let told = false;
  return (turn, { news }) => {
    told ||= heardIn(news).length > 0;
    return told || turn > most ? { text: 'I stop here.' } : loop(turn);
  };
}

/** The same failing command, until it reads a note. */
export const sameFailure: ScriptOf = ({ tools }) =>
  untilTold(() => calls(tools.shell('sh check.sh')));

/** The same failing command, ignoring all advice. */
export const insists: ScriptOf = ({ tools }) =>
  inTurn(...Array.from({ length: MAX_TURNS }, () => calls(tools.shell('sh check.sh'))));

/**
 * The same red test until it has read this many notes; then it looks, fixes the cause, and runs it
 * once more.
 */
export const heedsAfter =
  (words: number): ScriptOf =>
  ({ tools }, { project }) => {
    const file = join(project, 'sum.txt');
    const way = [tools.read(file), tools.edit(file, 'one 1', 'one 4'), tools.shell('sh test.sh')];
    let told = 0;
    return (turn, { news }) => {
      told += heardIn(news).length;
      if (told < words && turn <= MAX_TURNS) return calls(tools.shell('sh test.sh'));
      const next = way.shift();
      return next ? calls(next) : { text: 'Done.' };
    };
  };

/** What a person says after a stop. */
export const GO_ON = 'Go on with it, I have looked.';

/** The same failing command, ignoring all advice, and once more when the user says so. */
export const insistsTwice: ScriptOf = ({ tools }) => {
  let left = MAX_TURNS;
  let isToldTo = false;
  return (_, { news }) => {
    if (!isToldTo && news.some((text) => text.includes(GO_ON))) {
      isToldTo = true;
      left = MAX_TURNS;
    }
    return left-- > 0 ? calls(tools.shell('sh check.sh')) : { text: 'I give up.' };
  };
};

/** The same look at what does not change, ignoring all advice. */
export const looks: ScriptOf = ({ tools }) =>
  inTurn(...Array.from({ length: MAX_TURNS }, () => calls(tools.shell('cat sum.txt'))));

/** Two failing commands by turns. */
export const cycle: ScriptOf = ({ tools }) =>
  untilTold((turn) => calls(tools.shell(turn % 2 ? 'sh check.sh' : 'sh lint.sh')));

/** One line to and fro, with a red test after each edit that says so in other words. */
export const toAndFro: ScriptOf = ({ tools }, { project }) => {
  const file = join(project, 'sum.txt');
  const edits = [tools.edit(file, 'one 1', 'one 2'), tools.edit(file, 'one 2', 'one 1')];
  return untilTold(
    (turn) =>
      calls(
        turn === 1
          ? tools.read(file)
          : turn % 2
            ? tools.shell('sh test.sh')
            : edits[(turn / 2 - 1) % 2]!,
      ),
    16,
  );
};

/** Has another agent lint, which does not stop until it reads a note. */
export const nested: ScriptOf = ({ tools }) => {
  const main = inTurn(...tools.delegate(`Run the linter ${NESTED}.`).map((call) => calls(call)));
  const loop = untilTold(() => calls(tools.shell('sh lint.sh')));
  return (turn, asked) => (asked.nested ? loop : main)(turn, asked);
};

/**
 * One loop after the other, each until it reads a note: patches one line again and again, after one
 * look at it; makes the same call twice in each response, after a look around (three times, and
 * OpenCode would ask a person); and has another agent loop.
 */
export const threeLoops: ScriptOf = (agent, place) => {
  const { tools } = agent;
  const file = join(place.project, 'sum.txt');
  const last = nested(agent, place);
  const loops: Script[] = [
    (turn) =>
      calls(turn === 1 ? tools.read(file) : tools.edit(file, `one ${turn - 1}`, `one ${turn}`)),
    (turn) =>
      turn === 1
        ? calls(tools.shell('ls'))
        : calls(tools.shell('sh check.sh'), tools.shell('sh check.sh')),
    last,
  ];
  let before = 0;
  return (turn, asked) => {
    if (asked.nested) return last(turn, asked);
    if (loops.length > 1 && heardIn(asked.news).length > 0) {
      loops.shift();
      before = turn - 1;
    }
    return turn - before > MAX_TURNS ? { text: 'I stop here.' } : loops[0]!(turn - before, asked);
  };
};

/**
 * A day of work that gets on: edits and red tests in turns, a poll until a deploy is live, and ten
 * searches that rightly find nothing.
 */
export const honestWork: ScriptOf = ({ tools }, { project }) => {
  const file = join(project, 'sum.txt');
  const edits = (i: number): ToolCall[] => [
    tools.edit(file, `one ${i}`, `one ${i + 1}`),
    tools.shell('sh test.sh'),
  ];
  const steps = [
    ...[
      tools.shell('sh check.sh'),
      tools.read(file),
      ...edits(1),
      tools.read(join(project, 'check.sh')),
      ...edits(2),
      ...edits(3),
    ],
    ...Array.from({ length: 4 }, () => tools.shell('sh status.sh')),
    ...[tools.shell('sh check.sh'), tools.shell('sh lint.sh')],
    ...REMOVED_NAMES.map((name) => tools.shell(`grep -rn ${name} .`)),
  ];
  return inTurn(...steps.map((step) => calls(step)));
};

/** Has another agent look around, which gets on. */
export const nestedWork: ScriptOf = ({ tools }, { project }) => {
  const main = inTurn(...tools.delegate(`Look around ${NESTED}.`).map((call) => calls(call)));
  const work = inTurn(
    ...['sum.txt', 'check.sh', 'lint.sh', 'status.sh'].map((name) =>
      calls(tools.read(join(project, name))),
    ),
  );
  return (turn, asked) => (asked.nested ? work : main)(turn, asked);
};

/** Work that gets on. */
export const noLoop: ScriptOf = ({ tools }, { project }) => {
  const file = join(project, 'sum.txt');
  const steps = [
    tools.shell('sh check.sh'),
    tools.read(file),
    tools.edit(file, 'one 1', 'one 2'),
    tools.shell('sh check.sh'),
    tools.read(join(project, 'check.sh')),
    tools.edit(file, 'one 2', 'one 3'),
    tools.shell('sh check.sh'),
    tools.shell('sh lint.sh'),
  ];
  return inTurn(...steps.map((step) => calls(step)));
};

/** What a person says after work that got on. */
export const ONCE_MORE = 'Once more, please: get the check to pass.';

/** Work that gets on; when a person wants more, the same failing command, ignoring all advice. */
export const worksThenInsists: ScriptOf = (agent, place) => {
  const insisting = insistsTwice(agent, place);
  let script = noLoop(agent, place);
  return (turn, asked) => {
    if (asked.news.some((text) => text.includes(ONCE_MORE))) script = insisting;
    return script(turn, asked);
  };
};
