import {
  anyCall,
  anyRunning,
  type Chance,
  edit,
  grep,
  read,
  runTests,
  status,
  type World,
  type WorldCall,
} from './world.ts';

/**
 * An agent's response: calls, sequential or parallel, after some seconds; the user may send a
 * message.
 */
export interface Response {
  calls: readonly WorldCall[];
  wait: number;
  isSpoken?: boolean;
}

type Habit = (chance: Chance, world: World) => Generator<readonly WorldCall[]>;

const times = (chance: Chance, most: number): number => 2 + chance.below(most - 1);

const HABITS: readonly Habit[] = [
  function* repeats(chance, world) {
    const call = anyCall(chance, world);
    for (let i = times(chance, 18); i > 0; i--) yield [call];
  },
  function* goesRound(chance, world) {
    const round = Array.from({ length: times(chance, 3) }, () => anyCall(chance, world));
    for (let lap = times(chance, 14); lap > 0; lap--) for (const call of round) yield [call];
  },
  function* repeatsAmongOthers(chance, world) {
    const call = anyCall(chance, world);
    for (let i = times(chance, 16); i > 0; i--)
      yield [chance.is(0.7) ? call : anyCall(chance, world)];
  },
  function* editsAndTests(chance, world) {
    const file = chance.one(['a', 'b', 'c', 'd']);
    for (let i = times(chance, 10); i > 0; i--) {
      yield [edit(file, world.at(file), world.at(file) + 1)];
      yield [runTests];
    }
  },
  function* goesToAndFro(chance) {
    const file = chance.one(['a', 'b', 'c', 'd']);
    for (let i = times(chance, 20); i > 0; i--) {
      yield [edit(file, 1 + (i % 2), 2 - (i % 2))];
      yield [runTests];
    }
  },
  function* asksManyThings(chance) {
    for (let i = times(chance, 12); i > 0; i--) yield [grep(`nothing-like-${chance.below(1e6)}`)];
  },
  function* waitsFor(chance) {
    const call = status(chance.one(['shop', 'mail']));
    for (let i = times(chance, 14); i > 0; i--) yield [call];
  },
  function* waitsHonestly(chance) {
    const call = anyRunning(chance);
    for (let i = times(chance, 40); i > 0; i--) yield [call];
  },
  function* doesSeveralAtOnce(chance, world) {
    for (let i = times(chance, 8); i > 0; i--)
      yield Array.from({ length: times(chance, 3) }, () => anyCall(chance, world));
  },
  function* readsOn(chance, world) {
    for (let i = times(chance, 8); i > 0; i--) {
      const file = chance.one(['a', 'b', 'c', 'd']);
      yield [edit(file, world.at(file), world.at(file) + 1)];
      yield [read(file)];
    }
  },
];

/**
 * An agent with random habits: its speed, its stubbornness, and how often the user writes to it.
 * `isHeard`: the guard has just sent a message.
 */
export function* agentOf(
  chance: Chance,
  world: World,
  isHeard: () => boolean,
): Generator<Response> {
  const heeds = chance.one([0, 0, 0, 0.2, 0.6]);
  const spoken = chance.one([0, 0, 0.02]);
  const waits = chance.one([[1], [3, 5], [2, 5, 8], [5, 20], [1, 3, 40]]);
  for (let phases = 1 + chance.below(4); phases > 0; phases--) {
    for (const calls of chance.one(HABITS)(chance, world)) {
      yield { calls, wait: chance.one(waits), isSpoken: chance.is(spoken) };
      if (isHeard() && chance.is(heeds)) break;
    }
  }
}
