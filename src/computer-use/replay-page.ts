import { type Html, html, verbatim } from '../report/html/html.ts';
import { actionPoint, describeAction, type ScreenAction } from './action.ts';
import type { ScreenRunResult, TrajectoryStep } from './trajectory.ts';

/** The name of a step's picture. */
export const pictureName = (step: number): string => `${String(step).padStart(3, '0')}.png`;

/** The name of the picture of the end. */
export const FINAL_PICTURE = 'final.png';

/** A page that shows a run step by step: the screen, where it was clicked, what the brain wanted, what was done and why. */
export function replayPage(result: ScreenRunResult): string {
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
${counts('Forced by loop recovery', result.loop_recoveries_by_reason)}${counts('Replaced by a gate', result.substitutions_by_gate)}
${counts('Rejected claims of success', result.done_rejections_by_reason)}
<p>${`Checked for an effect: ${result.perceptual_summary.checked}, without one: ${result.perceptual_summary.no_effect}. Nudges: ${result.nudges}.`}
${result.off.length > 0 && `Turned off: ${result.off.join(', ')}.`}</p>
${jumps(
  'Jump to what was forced',
  trajectory.filter(({ gate }) => gate !== ''),
)}
${jumps(
  'It looped at',
  trajectory.filter(({ loop }) => loop !== 'none'),
)}
</header>
<main>
<ol>${trajectory.map(stepItem)}${finalItem(result)}</ol>
</main>
</body>
</html>
`.text;
}

const jumps = (title: string, steps: readonly TrajectoryStep[]): Html | null =>
  steps.length === 0 ? null : html`<p>${title}: ${steps.map(({ step }) => html`<a href="#step-${step}">step ${step}</a> `)}</p>`;

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
${line('Proposed', proposed ? describeAction(proposed) : describeAction(action))}
${line('Done', `${describeAction(action)}${target?.name ? ` on ${target.role || 'element'} "${target.name}"` : ''}`)}
${gate !== '' && line('By', `${gate}${reason ? `: ${reason}` : ''}`)}
${line('Reasoning', reasoning)}
${line('Effect', step.action_effect_observed ? 'the screen changed' : 'nothing changed')}
${step.loop !== 'none' && line('Loop', step.loop)}
${line('Feedback', feedback)}
${line('Address', step.url)}
</dl></li>
`;
}

/** The last picture: a step shows the screen before it, so nothing else tells how it came out. */
const finalItem = ({ final_frame, termination_reason, ending }: ScreenRunResult): Html | null =>
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
function markers(wanted: ScreenAction, acted: ScreenAction, { viewport }: TrajectoryStep): (Html | null)[] {
  return [marker('wanted', actionPoint(wanted), viewport), wanted === acted ? null : marker('acted', actionPoint(acted), viewport)];
}

function marker(kind: string, point: { x: number; y: number } | null, { width, height }: TrajectoryStep['viewport']): Html | null {
  if (!point) return null;
  const at = `left: ${((100 * point.x) / width).toFixed(2)}%; top: ${((100 * point.y) / height).toFixed(2)}%`;
  return html`<i class="${kind}" style="${at}" title="${kind} at (${Math.round(point.x)}, ${Math.round(point.y)})"></i>`;
}

/** The look of a replay, in light and dark, on a phone and on a wide screen. */
const REPLAY_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3a404a); --soft: light-dark(#5b6470, #a3acb8); --card: light-dark(#fff, #1b1f26);
  --forced: light-dark(#8a4b00, #ffb454); --loop: light-dark(#b3261e, #ff8a80) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1100px; padding: 24px 16px 64px; font: 15px/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #12151a) }
h1 { font-size: 22px; margin: 0 0 8px; overflow-wrap: anywhere } header p { margin: 4px 0; overflow-wrap: anywhere }
.end { padding: 2px 8px; border-radius: 6px; border: 1px solid currentColor } .end.done, .end.env_done { color: light-dark(#1b6e3c, #7ddba3) }
.end.loop, .end.max_steps, .end.page_lost, .end.never_settled, .end.done_failed { color: var(--loop) }
ol { list-style: none; margin: 24px 0 0; padding: 0; display: grid; gap: 16px }
li { background: var(--card); border: 1px solid var(--line); border-left: 6px solid var(--line); border-radius: 8px; padding: 12px 16px;
  display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 8px 20px }
li.forced { border-left-color: var(--forced) } li.looping { border-left-color: var(--loop) }
h2 { grid-column: 1 / -1; font-size: 16px; margin: 0; overflow-wrap: anywhere } h2 a { color: inherit }
figure { position: relative; margin: 0; align-self: start; border: 1px solid var(--line) } img { display: block; width: 100%; height: auto }
figure i { position: absolute; width: 26px; height: 26px; margin: -13px 0 0 -13px; border-radius: 50%; border: 3px solid #d81b60; background: #d81b6033; box-shadow: 0 0 0 2px #fff }
figure i.acted { border-color: #00796b; background: #00796b33; border-radius: 4px }
dl { margin: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 12px; align-content: start }
dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
@media (max-width: 720px) { li { grid-template-columns: minmax(0, 1fr) } }
`;
