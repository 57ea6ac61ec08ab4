import { parseArgs } from 'node:util';
import { UnrutError } from '../../src/errors.ts';
import { readCorpus, readEvents } from '../quality/corpus.ts';
import { total } from '../quality/metrics/tally.ts';
import { scoreVerdicts, tallyVerdict } from '../quality/metrics/verdicts.ts';
import { guardSystem, replay } from '../quality/replay.ts';
import { type Table, tableText } from '../quality/table.ts';
import { runCommand } from '../run-command.ts';
import { FEATURES } from './features.ts';
import { calibration, type Judged, rankedRightly } from './judgement.ts';
import { forecast, type Model } from './logistic.ts';
import { isStuck, stepsOf } from './samples.ts';
import { NEVER, type Outcome, outcomeOf, samplesOf, THRESHOLDS, Trial, together, type Watched } from './trial.ts';

/** Wrong alarms that the forecast may add on the sources on which its threshold is chosen. */
const BUDGETS = [0, 1, 2, 5];
/** One to score on, one to choose the threshold on, one to train on. */
const FEWEST = 3;

const figure = (value: number | null): string => value?.toFixed(3) ?? '–';

function main(args: string[]): void {
  const corpus = corpusIn(args);
  if (corpus === undefined) throw new UnrutError('usage', 'Expected --corpus DIR and nothing else; see docs/measuring.md.');
  const watched = readCorpus(corpus).map((run): Watched => {
    const events = readEvents(run);
    return { run, firings: replay(events, guardSystem('unrut')), steps: stepsOf(events) };
  });
  const trial = new Trial(watched);
  if (trial.sources.length < FEWEST) throw new UnrutError('usage', `Expected marked runs of at least ${FEWEST} sources in ${corpus}.`);
  const model = trial.modelWithout();
  for (const table of [weights(model), believed(trial, model), added(trial), wholeRuns(watched, model)]) console.log(tableText(table));
}

function corpusIn(args: string[]): string | undefined {
  try {
    return parseArgs({ args, options: { corpus: { type: 'string' } } }).values.corpus;
  } catch {
    return undefined;
  }
}

function weights({ weights }: Model): Table {
  return {
    title: 'Weights, trained on every source',
    about: 'Of features in standard deviations.',
    head: ['feature', 'weight'],
    rows: [...FEATURES, 'always'].map((name, i) => [name, figure(weights[i]!)]),
  };
}

function believed(trial: Trial, model: Model): Table {
  const marked = trial.watched.filter(({ run }) => run.truth.kind === 'spans');
  const seen = marked.flatMap(samplesOf).map(({ features, stuck }) => ({ likely: forecast(model, features), so: stuck }));
  const unseen = marked.flatMap((each): Judged[] => {
    const likely = trial.likely().get(each)!;
    return each.steps.flatMap(({ step }, i) => {
      const so = isStuck(each.run.truth, step);
      return so === null ? [] : [{ likely: likely[i]!, so }];
    });
  });
  return {
    title: 'Forecast and truth, on sources that it was not trained on',
    about: `Area under the curve ${figure(rankedRightly(unseen))}; on what it was trained on ${figure(rankedRightly(seen))}.`,
    head: ['forecast from', 'steps', 'mean forecast', 'stuck'],
    rows: calibration(unseen).map(({ from, steps, forecast, so }) => [from.toFixed(1), String(steps), figure(forecast), figure(so)]),
  };
}

function added(trial: Trial): Table {
  const shipped = outcomeOf(trial.watched, trial.likely(), NEVER);
  const row = (name: string, { caught, false: wrong, quiet }: Outcome): string[] => [
    name,
    ...[caught - shipped.caught, wrong - shipped.false, quiet - shipped.quiet].map((more) => (more > 0 ? `+${more}` : String(more))),
  ];
  return {
    title: 'What it adds to the shipped detectors, on the sources left out',
    about:
      `They catch ${shipped.caught} loops with ${shipped.false} false alarms, and ${shipped.quiet} alarms on daily work. ` +
      'The threshold is the lowest that adds at most so many wrong alarms on the other sources.',
    head: ['wrong alarms allowed elsewhere', 'loops', 'false alarms', 'alarms on daily work'],
    rows: BUDGETS.map((budget) => row(String(budget), trial.heldOut(budget))),
  };
}

function wholeRuns(watched: readonly Watched[], model: Model): Table {
  const runs = watched.flatMap((each) => {
    const likely = each.steps.map(({ features }) => forecast(model, features));
    return each.run.truth.kind === 'verdict' ? [{ each, likely, truth: each.run.truth }] : [];
  });
  const f1 = (threshold: number, alone: boolean): number =>
    scoreVerdicts(
      total(
        runs.map(({ each, likely, truth }) => tallyVerdict(truth, together(alone ? { ...each, firings: [] } : each, likely, threshold))),
      ),
    ).f1 ?? 0;
  const ranked = rankedRightly(runs.map(({ likely, truth }) => ({ likely: Math.max(0, ...likely), so: truth.looping })));
  const shown = runs.length === 0 ? [] : THRESHOLDS.filter((threshold) => threshold === NEVER || Math.round(threshold * 100) % 10 === 0);
  return {
    title: 'Whole runs that people call looping or not, none of which it was trained on',
    about: `Area under the curve of its highest forecast ${figure(ranked)}. F1 for each threshold, seen in hindsight.`,
    head: ['threshold', 'detectors and forecast', 'forecast alone'],
    rows: shown.map((threshold) => [
      threshold === NEVER ? 'never' : threshold.toFixed(1),
      figure(f1(threshold, false)),
      figure(f1(threshold, true)),
    ]),
  };
}

runCommand(main);
