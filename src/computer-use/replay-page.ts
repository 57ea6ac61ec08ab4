import { type Html, html, verbatim } from '../report/html/html.ts';
import { type Action, describeAction, pointOf } from './action.ts';
import { REPLAY_STYLE } from './replay-style.ts';
import type { RunResult, TrajectoryStep } from './trajectory.ts';

/** The name of a step's picture. */
export const pictureName = (step: number): string => `${String(step).padStart(3, '0')}.png`;

/** The name of the picture of the end. */
export const FINAL_PICTURE = 'final.png';

/** A page that shows a run step by step: the screen, where it was clicked, what the brain wanted, what was done and why. */
export function replayPage(result: RunResult): string {
  const { task, termination_reason, ending, steps, seconds, trajectory } = result;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${`Run: ${termination_reason}`}</title>
<style>${verbatim(REPLAY_STYLE)}</style>
</head>
<body>
<header>
<h1>${task || 'A run'}</h1>
<p><b class="end ${termination_reason}">${termination_reason}</b> after ${steps} steps in ${seconds.toFixed(1)} s. ${ending}</p>
${counts('Forced by the loop recovery', result.loop_recoveries_by_reason)}${counts('Done by a gate', result.substitutions_by_gate)}
${counts('Claims of success refused', result.done_rejections_by_reason)}
<p>${`Checked for an effect: ${result.perceptual_summary.checked}, without one: ${result.perceptual_summary.no_effect}. Nudges: ${result.nudges}.`}
${result.off.length > 0 && `Switched off: ${result.off.join(', ')}.`}</p>
</header>
<main>
<ol>${trajectory.map(stepItem)}${finalItem(result)}</ol>
</main>
</body>
</html>
`.text;
}

const counts = (title: string, by: Record<string, number>): Html | null =>
  Object.keys(by).length === 0
    ? null
    : html`<p>${title}: ${Object.entries(by)
        .map(([name, count]) => `${name} ${count} ×`)
        .join(', ')}.</p>`;

function stepItem(step: TrajectoryStep): Html {
  const { action, proposed_action: proposed, gate, target, reasoning, feedback } = step;
  const reason = step.loop_recovery_reason || step.done_rejected_reason;
  return html`<li id="step-${step.step}" class="${gate ? 'forced' : step.loop === 'none' ? '' : 'looping'}">
<h2><a href="#step-${step.step}">Step ${step.step}</a>: ${describeAction(action)}</h2>
<figure><img src="${pictureName(step.step)}" alt="The screen before step ${step.step}" loading="lazy">${markers(proposed ?? action, action, step)}</figure>
<dl>
${line('Wanted', proposed ? describeAction(proposed) : describeAction(action))}
${line('Done', `${describeAction(action)}${target?.name ? ` on ${target.role || 'element'} "${target.name}"` : ''}`)}
${gate !== '' && line('By', `${gate}${reason ? `: ${reason}` : ''}`)}
${line('Reasoning', reasoning)}
${line('Effect', step.action_effect_observed ? 'the screen changed' : 'nothing changed')}
${step.loop !== 'none' && line('Loop', step.loop)}
${line('Told', feedback)}
${line('Address', step.url)}
</dl></li>
`;
}

/** The last picture: a step shows the screen before it, so nothing else tells how it came out. */
const finalItem = ({ final_frame, termination_reason, ending }: RunResult): Html | null =>
  final_frame &&
  html`<li id="end">
<h2><a href="#end">The end</a>: ${termination_reason}</h2>
<figure><img src="${FINAL_PICTURE}" alt="The screen at the end" loading="lazy"></figure>
<dl>
${line('Ending', ending)}
${line('Address', final_frame.url)}
</dl></li>
`;

const line = (name: string, text: string): Html | null => (text === '' ? null : html`<dt>${name}</dt><dd>${text}</dd>`);

/** Where the brain aimed, and where the runner acted instead. */
function markers(wanted: Action, acted: Action, { viewport }: TrajectoryStep): (Html | null)[] {
  return [marker('wanted', pointOf(wanted), viewport), wanted === acted ? null : marker('acted', pointOf(acted), viewport)];
}

function marker(kind: string, point: { x: number; y: number } | null, { width, height }: TrajectoryStep['viewport']): Html | null {
  if (!point) return null;
  const at = `left: ${((100 * point.x) / width).toFixed(2)}%; top: ${((100 * point.y) / height).toFixed(2)}%`;
  return html`<i class="${kind}" style="${at}" title="${kind} at (${Math.round(point.x)}, ${Math.round(point.y)})"></i>`;
}
