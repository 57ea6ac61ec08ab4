import { RUNGS } from '@unrut/engine/event';
import { pageFile } from '@unrut/ledger/report/html/page-file';
import { actionPoint, describeAction, type ScreenAction } from './action.ts';
import { countsText, type ScreenRunResult, type TrajectoryStep } from './trajectory.ts';

/** The file name of a step's screenshot. */
export const pictureName = (step: number): string => `${String(step).padStart(3, '0')}.png`;

/** The file name of the final screenshot. */
export const FINAL_PICTURE = 'final.png';

/**
 * A point on a screenshot, in percent of its width and height: where the brain aimed, or where the
 * runner acted instead.
 */
export interface Marker {
  kind: 'wanted' | 'acted';
  left: number;
  top: number;
  words: string;
}

/** One screenshot of a run, with its text. */
export interface ReplayItem {
  /** Its id in URLs. */
  id: string;
  name: string;
  title: string;
  look: '' | 'forced' | 'looping';
  picture: string;
  /** The alternative text. */
  alt: string;
  markers: Marker[];
  lines: [name: string, text: string][];
}

/** The content of a replay page. */
export interface ReplayPageData {
  title: string;
  /** How the run ended, as a code and in words. */
  reason: string;
  ending: string;
  facts: string[];
  items: ReplayItem[];
  /** One letter per step, with forced actions marked, as in other timelines. */
  letters: string;
  acts: string;
}

/**
 * A page that replays a run step by step: the screen, the click, the proposal, the action and its
 * reason. `pictures` maps names to addresses; other screenshots are loaded from the page's folder.
 */
export function replayPage(
  result: ScreenRunResult,
  pictures: ReadonlyMap<string, string> = new Map(),
): string {
  const { task, termination_reason: reason, steps, seconds, trajectory } = result;
  const data: ReplayPageData = {
    title: task || 'A run',
    reason,
    ending: `after ${steps} steps in ${seconds.toFixed(1)} s. ${result.ending}`,
    facts: factsOf(result),
    items: [...trajectory.map(stepItem), ...finalItem(result)].map((item) => ({
      ...item,
      picture: pictures.get(item.picture) ?? item.picture,
    })),
    letters: trajectory
      .map((step) => (step.action.type === 'wait' ? 'w' : step.action_effect_observed ? 'n' : '-'))
      .join(''),
    acts: trajectory
      .map(({ gate }) => (gate === '' ? 0 : RUNGS.indexOf('substitute') + 1))
      .join(''),
  };
  const text = [
    data.title,
    `${reason} ${data.ending}`,
    ...data.facts,
    ...data.items.map(({ name, title }) => `${name}: ${title}`),
  ];
  return pageFile({ title: `Run: ${reason}`, kind: 'replay', data, text: text.join('\n') });
}

function factsOf(result: ScreenRunResult): string[] {
  const counts = (title: string, by: Record<string, number>): string[] =>
    Object.keys(by).length === 0 ? [] : [`${title}: ${countsText(by)}.`];
  return [
    ...counts('Forced by loop recovery', result.loop_recoveries_by_reason),
    ...counts('Replaced by a gate', result.substitutions_by_gate),
    ...counts('Rejected claims of success', result.done_rejections_by_reason),
    `Checked for an effect: ${result.perceptual_summary.checked}, without one: ${result.perceptual_summary.no_effect}. Nudges: ${result.nudges}.`,
    ...(result.off.length > 0 ? [`Turned off: ${result.off.join(', ')}.`] : []),
  ];
}

function stepItem(step: TrajectoryStep): ReplayItem {
  const { action, proposed_action: proposed, gate, target, reasoning, feedback, loop } = step;
  const reason = step.loop_recovery_reason || step.done_rejected_reason;
  const done = describeAction(action);
  const lines: [string, string][] = [
    ['Proposed', describeAction(proposed ?? action)],
    ['Done', `${done}${target?.name ? ` on ${target.role || 'element'} "${target.name}"` : ''}`],
    ['By', gate === '' ? '' : `${gate}${reason ? `: ${reason}` : ''}`],
    ['Reasoning', reasoning],
    ['Effect', step.action_effect_observed ? 'the screen changed' : 'nothing changed'],
    ['Loop', loop === 'none' ? '' : loop],
    ['Feedback', feedback],
    ['Address', step.url],
  ];
  return {
    id: `step-${step.step}`,
    name: `Step ${step.step}`,
    title: done,
    picture: pictureName(step.step),
    markers: markersOf(step),
    look: gate === '' ? (loop === 'none' ? '' : 'looping') : 'forced',
    alt: `The screen before step ${step.step}`,
    lines: lines.filter(([, text]) => text !== ''),
  };
}

/** The final screenshot. A step shows the screen before it, so only this one shows the result. */
function finalItem({ final_frame, termination_reason, ending }: ScreenRunResult): ReplayItem[] {
  if (final_frame === null) return [];
  const lines: ReplayItem['lines'] = [
    ['Ending', ending],
    ['Address', final_frame.url],
  ];
  return [
    {
      id: 'end',
      name: 'The end',
      title: termination_reason,
      look: '',
      picture: FINAL_PICTURE,
      alt: 'The screen at the end',
      markers: [],
      lines: lines.filter(([, text]) => text !== ''),
    },
  ];
}

/** Markers for the point the brain aimed at and the point the runner used instead. */
function markersOf({
  action,
  proposed_action: proposed,
  viewport: { width, height },
}: TrajectoryStep): Marker[] {
  const marker = (kind: Marker['kind'], aimed: ScreenAction | null): Marker[] => {
    const point = aimed && actionPoint(aimed);
    if (!point) return [];
    const words = `${kind} at (${Math.round(point.x)}, ${Math.round(point.y)})`;
    return [{ kind, left: (100 * point.x) / width, top: (100 * point.y) / height, words }];
  };
  return [...marker('wanted', proposed ?? action), ...marker('acted', proposed && action)];
}
