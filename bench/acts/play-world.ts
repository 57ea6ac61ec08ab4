import { type AgentEvent, type Capability, RUNGS } from '@unrut/engine/event';
import { createGuard, type Verdict } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import { agentOf } from './habits.ts';
import { type Answer, createChance, THINGS, World, type WorldCall } from './world.ts';

/** The events of one world, and the broken promises. */
export interface Played {
  steps: number;
  refused: number;
  stopped: number;
  /** Blocks of calls whose answer had changed without any visible sign. */
  unlucky: number;
  broken: string[];
}

/** The known facts about one call. */
interface Known {
  /** Its last answer, and how often in a row it returned nothing new. */
  content: string;
  run: number;
  /** Things whose change, by an act that the guard saw, its answer may have missed since. */
  touched: Set<string>;
}

interface Occurrence {
  key: string;
  content: string;
  /** It may be part of a loop that has to be stopped. */
  counts: boolean;
}

/** After this many laps a loop with equal results must have been stopped. */
const LAPS = 12;
/** An agent that makes progress at least once in this many steps is never stopped. */
const GETS_ON = 10;
/**
 * The first result of a call that is then repeated this often is the beginning of a loop, not
 * progress.
 */
const BEGINNING = 3;
/** Below this share of new words, an answer contains nothing new. */
const NEW_WORDS = 0.05;
/** From this share on it is progress, as the guard defines it. */
const PROGRESS = 0.2;
const MAX_STEPS = 120;
/** Before longer pauses, agents may be waiting on purpose. */
const PAUSE = 15;

const keyOf = ({ tool, args }: WorldCall): string => `${tool} ${JSON.stringify(args)}`;
const wordsIn = ({ content }: Answer): string[] => content.split(/\s+/);
const gistOf = (text: string): string => text.replace(/\d+(?:st|nd|rd|th)?/g, '#');

/**
 * Plays one agent in one world against a guard of random abilities, and compares what the guard
 * does and says with the world.
 */
export function playWorld(seed: number): Played {
  const chance = createChance(seed);
  const world = new World(chance);
  const can = (RUNGS as readonly Capability[]).filter(
    (rung) => rung !== 'substitute' && rung !== 'redirect' && chance.is(0.75),
  );
  const isWhole = chance.is(0.75);
  const families = isWhole ? ['files', 'shell', 'web'] : [chance.one(['files', 'shell', 'web'])];
  const announces = chance.is(0.85);
  const attended = chance.is(0.5);
  const performs = chance.one([1, 1, 0.7]);
  const drift = chance.one([0, 0.02, 0.1]);
  const guard = createGuard({ can, attended, partial: !isWhole });

  const known = new Map<string, Known>();
  const brought = new Set<string>();
  const words = new Set<string>();
  const states = new Set(THINGS.map((thing) => `${thing} ${world.at(thing)}`));
  const plans = new Map<string, number>();
  const said = new Map<string, number>();
  const trail: Occurrence[] = [];
  /** Each step, and whether it returned anything new. */
  const steps: {
    key: string;
    content: string;
    brought: boolean;
    /** It returned something new; a write alone does not. */
    learned?: boolean;
    isOpen?: boolean;
  }[] = [];
  const played: Played = { steps: 0, refused: 0, stopped: 0, unlucky: 0, broken: [] };
  let at = 1_760_000_000_000;
  let number = 0;
  let heard = false;
  let over = false;

  const broken = (what: string): void => {
    played.broken.push(
      `world ${seed}, step ${played.steps}: ${what} [can ${can.join(' ')}${isWhole ? '' : `, sees ${families[0]}`}]`,
    );
  };
  const isSeen = (call: WorldCall): boolean => families.includes(call.family);

  function see(event: object): Verdict {
    const verdict = guard.observe({ session: 'w', at, ...event } as unknown as AgentEvent);
    for (const fault of verdict.faults) broken(`fault in ${fault.where}: ${fault.message}`);
    for (const { plan, outcome } of verdict.outcomes)
      if (outcome !== 'relapsed') plans.set(plan, (plans.get(plan) ?? 0) + 1);
    const { plan } = verdict;
    if (plan) {
      heard = true;
      plans.set(plan.id, 0);
      if (!can.includes(plan.rung)) broken(`${plan.rung} was planned for a host that cannot`);
      if (plan.rung === 'note' || plan.rung === 'hint') tell(plan, verdict);
    }
    return verdict;
  }

  /**
   * The same text is said again only when its count has doubled; of certain loops, each has its
   * own.
   */
  function tell({ toModel, reason, byPrice }: Plan, { signals }: Verdict): void {
    // Plans by price have their own, doubling intervals.
    if (byPrice) return;
    const { count, evidence } = signals.find(
      ({ detector, variant }) => `${detector}/${variant}` === reason,
    )!;
    const gist = `${evidence.equal ? evidence.keys[0] : ''} ${gistOf(toModel)}`;
    const before = said.get(gist);
    if (before !== undefined && count < 2 * before)
      broken(`said again at ${count}, after ${before}: ${toModel}`);
    said.set(gist, count);
  }

  /** Whether the host performs a plan; it reports either way. */
  function perform({ id, rung }: Plan): boolean {
    const isDone = chance.is(performs);
    see({ type: 'plan-performed', plan: id, rung, ...(isDone ? {} : { failed: true }) });
    if (isDone && rung === 'stop') over = true;
    return isDone;
  }

  /** A refusal says that the answer is known. */
  function checkRefusal(call: WorldCall, plan: Plan): void {
    played.refused++;
    if (plan.action?.report === true) return;
    if (call.isOpen) {
      broken(`refused although its answer changes by itself: ${keyOf(call)}`);
      return;
    }
    const last = known.get(keyOf(call));
    if (!last || last.run < 2) {
      broken(`refused what was not the same twice: ${keyOf(call)}`);
      return;
    }
    if (Number(/(\d+) times/.exec(plan.toModel)?.[1] ?? 0) > last.run)
      broken(`said to have been the same more than ${last.run} times: ${plan.toModel}`);
    if (!isNews(call, world.answer(call))) return;
    if (call.on.some((thing) => last.touched.has(thing)))
      broken(`refused although it could be known to have changed: ${keyOf(call)}`);
    else played.unlucky++;
  }

  /** Neither a result that this call has returned before, nor merely known words. */
  function isNews(call: WorldCall, answer: Answer, share = NEW_WORDS): boolean {
    const all = wordsIn(answer);
    return (
      !brought.has(`${keyOf(call)} ${answer.content}`) &&
      all.filter((word) => !words.has(word)).length >= share * all.length
    );
  }

  function run(call: WorldCall): Answer {
    const answer = world.answer(call);
    const changed = world.apply(call);
    const key = keyOf(call);
    const last = known.get(key);
    if (isSeen(call))
      for (const thing of changed) for (const each of known.values()) each.touched.add(thing);
    const isKnown = last !== undefined && !isNews(call, answer);
    known.set(key, {
      content: answer.content,
      run: isKnown ? last.run + 1 : 1,
      touched: new Set(),
    });
    const isNew = isNews(call, answer, PROGRESS) && !call.isReceipt;
    const isChanged = changed.some((thing) => !states.has(`${thing} ${world.at(thing)}`));
    brought.add(`${key} ${answer.content}`);
    for (const word of wordsIn(answer)) words.add(word);
    for (const thing of changed) states.add(`${thing} ${world.at(thing)}`);
    steps.push({
      key,
      content: answer.content,
      brought: isNew || isChanged,
      learned: isNew,
      isOpen: call.isOpen === true,
    });
    return answer;
  }

  function checkSignals({ signals }: Verdict, call: WorldCall): void {
    for (const { detector, count, evidence, text } of signals) {
      if (
        detector !== 'repeated-call' ||
        evidence.facts.known !== true ||
        evidence.facts.written === true
      )
        continue;
      if (count > known.get(keyOf(call))!.run) broken(`not true: ${text}`);
    }
  }

  function checkStop({ rung, byPrice }: Plan, ahead: number): void {
    if (rung !== 'stop') return;
    played.stopped++;
    const last = steps.slice(ahead - GETS_ON);
    const isAgain = (one: (typeof steps)[number], other: (typeof steps)[number]): boolean =>
      one.key === other.key && one.content === other.content;
    const news = last.find(
      (each, i) =>
        (byPrice ? each.learned : each.brought) &&
        last.slice(i + 1).filter((later) => isAgain(each, later)).length < BEGINNING,
    );
    if (last.length === GETS_ON - ahead && last.every(({ isOpen }) => isOpen) && !byPrice)
      broken(`stopped an agent that only waited: ${last[0]!.key}`);
    if (news) broken(`stopped within ${GETS_ON} steps after something new: ${news.key}`);
  }

  function checkLoop(): void {
    if (!can.includes('stop') || !isWhole || performs < 1) return;
    for (let period = 1; period <= 3; period++) {
      const laps = trail.slice(-LAPS * period);
      if (laps.length < LAPS * period || !laps.every(({ counts }) => counts)) continue;
      const isLoop = laps.every(
        ({ key, content }, i) =>
          i < period || (laps[i - period]!.key === key && laps[i - period]!.content === content),
      );
      if (!isLoop) continue;
      broken(
        `not stopped after ${LAPS} laps: ${laps
          .slice(-period)
          .map(({ key }) => key)
          .join(', ')}`,
      );
      return;
    }
  }

  for (const { calls, wait, isSpoken } of agentOf(chance, world, () => heard)) {
    heard = false;
    at += wait * 1000;
    for (const thing of world.drift(chance, drift)) states.add(`${thing} ${world.at(thing)}`);
    if (isSpoken) {
      see({ type: 'user-spoke', text: 'Please go on.' });
      said.clear();
      trail.length = 0;
    }
    const batch = `b${number}`;
    const made = calls.map((call) => ({ call, id: `c${++number}`, plan: null as Plan | null }));
    if (announces) {
      for (const each of made) {
        if (!isSeen(each.call)) continue;
        const { plan } = see({
          type: 'call-proposed',
          batch,
          call: { id: each.id, tool: each.call.tool, args: each.call.args },
        });
        if (!plan) continue;
        if (plan.rung === 'block') checkRefusal(each.call, plan);
        checkStop(plan, 1);
        if (perform(plan)) each.plan = plan;
      }
    }
    for (const { call, id, plan } of made) {
      if (over) break;
      played.steps++;
      const about = {
        type: 'call-finished',
        batch,
        call: { id, tool: call.tool, args: call.args },
      };
      const isRefused = plan?.rung === 'block';
      const answer = isRefused ? { content: plan.toModel, failed: false } : run(call);
      if (isRefused)
        steps.push({
          key: keyOf(call),
          content: known.get(keyOf(call))?.content ?? '',
          brought: false,
        });
      const counts =
        isSeen(call) && !call.isReceipt && !call.isOpen && wait < PAUSE && made.length === 1;
      trail.push({
        key: keyOf(call),
        content: isRefused ? (known.get(keyOf(call))?.content ?? '') : answer.content,
        counts,
      });
      if (!isSeen(call)) continue;
      at += 40;
      const verdict = see({
        ...about,
        result: answer.content,
        ...(isRefused ? { refusedBy: 'unrut' } : answer.failed ? { error: true } : {}),
      });
      if (!isRefused) checkSignals(verdict, call);
      if (verdict.plan) {
        if (verdict.plan.rung === 'block') broken('a call that has run was refused');
        checkStop(verdict.plan, 0);
        perform(verdict.plan);
      }
    }
    if (over || played.broken.length > 0 || played.steps > MAX_STEPS) break;
    checkLoop();
  }
  see({ type: 'session-ended' });
  for (const [plan, outcomes] of plans)
    if (outcomes !== 1) broken(`plan ${plan} has ${outcomes} outcomes`);
  return played;
}
