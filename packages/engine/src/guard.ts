import { candidatesFor, type Trouble } from './candidates/candidates-for.ts';
import { noteCall, noteTools } from './candidates/memory.ts';
import type { Detector } from './detectors/detector.ts';
import { UnrutError } from './errors.ts';
import { type AgentEvent, type Capability, type EventType, parentOf } from './event.ts';
import type { Fingerprint } from './fingerprint/fingerprint.ts';
import { fingerprintEvent } from './fingerprint/reader.ts';
import { countSpawn, isStart, readSpawns } from './fingerprint/spawns.ts';
import {
  emptyVerdict,
  type Guard,
  type GuardOptions,
  inShadow,
  type Snapshot,
  type Verdict,
} from './guard-contract.ts';
import { checkedDetectors } from './guard-options.ts';
import { combineRules, type GuardRules } from './guard-rules.ts';
import { hash32 } from './hash.ts';
import { followPlans, performed, trailsAt } from './outcome/outcome.ts';
import { watchPlan } from './outcome/watch-plan.ts';
import { BRIEF, withBrief } from './policy/brief.ts';
import { decide } from './policy/decide.ts';
import { noteDeed } from './policy/deeds.ts';
import { leniently } from './policy/forgiven.ts';
import { type Hearing, hear } from './policy/hear.ts';
import { hintFailure } from './policy/hint-failure.ts';
import { withBudget } from './policy/keep-budget.ts';
import type { Sighting } from './policy/moment.ts';
import type { Plan } from './policy/plan.ts';
import { type PolicyConfig, userSpoke } from './policy/policy-state.ts';
import { loopPriceOf } from './policy/price.ts';
import {
  type BudgetOptions,
  budgetFigures,
  countSpending,
  extendBudget,
  isOfBudget,
  type Purse,
  startSpending,
} from './policy/spending.ts';
import { type Preset, recommended, type ShippedPreset } from './presets.ts';
import { EVENT_TYPES, endsWell, whyNotAnEvent, withoutNulls } from './read-event.ts';
import { redact } from './redact/redact.ts';
import { toFault } from './redact/to-fault.ts';
import {
  createSessions,
  isRepeated,
  reportSignals,
  restartDetectors,
  type Session,
} from './session.ts';
import { draw } from './trial.ts';

export type { Guard, GuardOptions, Snapshot, Verdict };
export { emptyVerdict, inShadow };

/**
 * A guard for any number of sessions. It shows events to detectors and turns their evidence into at
 * most one plan per event.
 */
export const createGuard = <Used extends Preset = ShippedPreset>(
  options: GuardOptions<Used> = {},
): Guard => createGuardOf(options.preset ?? recommended, options);

/** `createGuard` without a default preset, so that `unrut/core` does not have to include one. */
export function createGuardOf<Used extends Preset>(
  preset: Preset,
  options: GuardOptions<Used>,
): Guard {
  const detectors = checkedDetectors(options, preset);
  const config = {
    recoveries: preset.recoveries,
    detectors: new Map(detectors.map((detector) => [detector.name, detector])),
    skip: new Set(preset.skip),
    allow: new Set(options.allow),
    partial: options.partial ?? false,
    learned: options.learned ?? {},
    forgiven: options.forgiven ?? [],
  };
  const policyOf = ({ attended = true, can = USUAL_CAN }: GuardRules): PolicyConfig => ({
    ...config,
    attended,
    can: new Set<Capability>(can),
  });
  const watching = Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      detectors.filter((detector) => detector.watches.includes(type)),
    ]),
  ) as Record<EventType, Detector[]>;
  const reader = { seed: hash32(options.key ?? ''), tools: options.tools ?? {} };
  const sessions = createSessions(detectors, options.sessions ?? 1000);

  function look(session: Session, seen: Fingerprint, verdict: Verdict): Hearing {
    const sightings: Sighting[] = [];
    for (const detector of watching[seen.type]) {
      if (seen.neutral && !detector.alsoNeutral?.includes(seen.neutral)) continue;
      try {
        const found = detector.step(session.detectors[detector.name], seen, detector.options);
        const evidence = found && leniently(config.forgiven, detector.name, found, seen.call?.tool);
        if (evidence) sightings.push({ detector, evidence });
        if (evidence !== found) seen.forgiven = true;
        const figures = detector.figures?.(session.detectors[detector.name], seen);
        if (figures) verdict.figures = { ...verdict.figures, ...figures };
      } catch (error) {
        verdict.faults.push(toFault(detector.name, error));
        session.detectors[detector.name] = detector.start();
      }
    }
    return hear(session, sightings, seen.tick);
  }

  /** The session that the event's agent reports to, or its own. */
  function topOf(event: AgentEvent, session: Session): Session {
    const parent = parentOf(event);
    return parent === undefined ? session : sessions.of(parent);
  }

  /** The same for counting agents: it is not created unless there is one to count. */
  function spawnerOf(event: AgentEvent, session: Session): Pick<Session, 'spawns'> {
    const parent = parentOf(event);
    if (parent === undefined || isStart(event)) return topOf(event, session);
    return sessions.known(parent) ?? {};
  }

  /** The spending of the event's agent, and of the session that pays for it. */
  function purseOf(event: AgentEvent, session: Session): Purse {
    const payer = topOf(event, session);
    payer.spending ??= startSpending();
    session.spending ??= startSpending();
    return { own: session.spending, tree: payer.spending };
  }

  /** Records what users and the host say between the agent's own steps. */
  function noteNews(session: Session, event: AgentEvent): void {
    if (
      event.type === 'user-spoke' ||
      (event.type === 'call-finished' && event.refusedBy === 'user')
    ) {
      restartDetectors(session, detectors);
      userSpoke(session.policy);
    }
    if (event.type === 'plan-performed')
      performed(session.outcomes, event.plan, event.rung, event.failed);
    if (event.type === 'tools-listed') noteTools(session.candidates, event);
  }

  /** Whether its session was drawn to be recorded only. */
  const isRecorded = ({ session, agent }: AgentEvent): boolean =>
    options.trial !== undefined && sessions.of(session, agent).drawn?.arm === 'recorded';

  /** Draws the arm of a session that begins; nested agents have that of the one they report to. */
  function drawOnce(event: AgentEvent, session: Session, verdict: Verdict): void {
    if (!options.trial || session.drawn || session.reader.ticks > 0) return;
    const parent = parentOf(event);
    const top = parent === undefined ? undefined : sessions.known(parent);
    const arm = top ? top.drawn : draw(options.trial, parent ?? event.session, reader.seed);
    if (!arm) return;
    session.drawn = arm;
    if (parent === undefined) verdict.drawn = arm;
  }

  function think(
    event: AgentEvent,
    verdict: Verdict,
    policy: PolicyConfig,
    isTried: boolean,
  ): void {
    const session = sessions.of(event.session, event.agent);
    verdict.step = session.reader.steps;
    if (isRepeated(session, event)) return;
    if (isTried) drawOnce(event, session, verdict);
    const seen = fingerprintEvent(session.reader, event, reader);
    verdict.seen = seen;
    const places = { own: session, top: spawnerOf(event, session) };
    readSpawns(places, event, seen, reader.seed);
    if (seen.fault !== undefined) verdict.faults.push({ where: 'event', message: seen.fault });
    noteNews(session, event);
    const call = noteCall(session.candidates, event, seen);
    const rank = (trouble: Trouble) =>
      call || event.type === 'call-proposed'
        ? candidatesFor(
            session.candidates,
            { ...trouble, last: call },
            { ...policy, trails: trailsAt(session.outcomes, call) },
          )
        : [];

    function budgeted(budget: BudgetOptions, planned: Plan | null): Plan | null {
      const purse = purseOf(event, session);
      // A call that was blocked did not run, so it spent no step.
      const isSpent = session.reader.steps > verdict.step && seen.neutral !== 'own';
      countSpending(purse, event, isSpent);
      const extended = event.type === 'user-spoke' ? extendBudget(purse, policy.attended) : [];
      const figures = budgetFigures(purse.tree, budget);
      verdict.budget = { figures, ...(extended.length > 0 ? { extended } : {}) };
      return withBudget({
        policy: session.policy,
        purse,
        figures,
        budget,
        seen,
        config: policy,
        planned,
      });
    }

    noteDeed(session.brief, event, seen);
    const { heard, unheard } =
      event.type === 'context-compacted' && event.again ? UNHEARD : look(session, seen, verdict);
    const isStep = session.reader.ticks > seen.tick;
    const {
      signals,
      plan: planned,
      faults,
    } = decide(session.policy, heard, seen, policy, rank, isStep);
    const price = loopPriceOf(session.policy.price);
    if (price) verdict.price = price;
    verdict.witnesses = unheard.map(({ detector: { name }, evidence: { variant, count } }) => ({
      detector: name,
      variant,
      count,
    }));
    const hinted =
      planned ??
      (call && options.hintFailures ? hintFailure(session.policy, seen, call, policy, rank) : null);
    const reminded = withBrief(session.brief, session.policy, event, seen, policy, hinted);
    const plan = options.budget ? budgeted(options.budget, reminded) : reminded;
    countSpawn(places, event, seen, plan?.rung);
    verdict.faults.push(...faults);
    verdict.outcomes = followPlans(session.outcomes, {
      seen,
      signals,
      call,
      isStep,
      ended: event.type === 'session-ended',
      endedWell: endsWell(event),
    });
    if (plan && !isOfBudget(plan) && plan.reason !== BRIEF)
      watchPlan(session, plan, { seen, signals, call, detectors: config.detectors });
    verdict.signals = reportSignals(sessions, session, event, signals);
    verdict.plan = plan;
  }

  function observing(rules: GuardRules): Guard['observe'] {
    const policy = policyOf(rules);
    const shadow = rules.shadow ?? preset.shadow;
    return (event) => {
      const verdict = emptyVerdict();
      try {
        const given = withoutNulls(event);
        const wrong = whyNotAnEvent(given);
        if (wrong) verdict.faults.push({ where: 'event', message: redact(wrong) });
        else {
          think(given, verdict, policy, !shadow);
          if (isRecorded(given)) return inShadow(verdict);
        }
      } catch (error) {
        verdict.faults.push(toFault('guard', error));
      }
      return shadow ? inShadow(verdict) : verdict;
    };
  }

  const guardUnder = (rules: GuardRules): Guard => ({
    ...guard,
    observe: observing(rules),
    with: (more, usual) => guardUnder(combineRules(rules, more, usual)),
  });

  const guard: Omit<Guard, 'observe' | 'with'> = {
    snapshot: (session) =>
      JSON.parse(JSON.stringify({ version: 1, sessions: sessions.named(session) })) as Snapshot,
    peek: (session) => ({
      version: 1,
      sessions: sessions.named(session) as unknown as Snapshot['sessions'],
    }),
    knows: (session) => sessions.has(session),
    restore(snapshot) {
      const version = String(snapshot?.version);
      if (
        snapshot?.version !== 1 ||
        typeof snapshot.sessions !== 'object' ||
        snapshot.sessions === null
      )
        throw new UnrutError(
          'bad-snapshot',
          `Cannot restore: expected a snapshot of version 1, got version ${version}. Start without it.`,
        );
      sessions.restore(snapshot.sessions);
    },
    forget: (session) => sessions.forget(session),
  };
  if (options.from) guard.restore(options.from);
  return guardUnder(options);
}

const UNHEARD: Hearing = { heard: [], unheard: [] };

const USUAL_CAN: readonly Capability[] = ['note', 'hint', 'block', 'escalate', 'stop'];
