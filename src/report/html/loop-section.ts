import type { Rung } from '../../event.ts';
import { counted, dollars, number } from '../figures.ts';
import { issueText } from '../outputs.ts';
import { DEEDS } from '../rung-words.ts';
import { explainCommand } from '../scan-names.ts';
import type { PlanAt, ScannedLoop, Trajectory } from '../scan-report.ts';
import { clip, MAX, shortName } from './bounds.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import type { PlacedLoop } from './ranking.ts';
import { repeatsTables } from './repeats.ts';

const REPEATS_NOTE = html`<p class="note">Read from left to right. Changes from the previous column are <mark>marked</mark>.</p>\n`;

/** Where people learn of it at once. */
const WITH_PEOPLE: ReadonlySet<Rung> = new Set(['escalate', 'stop']);

/** The name of a loop in addresses: stable as long as the same files are scanned. */
const loopId = (run: number, loop: number): string => `run-${run}-loop-${loop}`;

/** One loop: why it is one, what it cost, what would have been done, and its repeats side by side. */
export function loopSection(run: number, { place, loop }: PlacedLoop, isOpen: boolean, of: Trajectory): Html {
  const id = loopId(run, place);
  const name = `${loop.light ? 'Advice' : 'Loop'} ${place}`;
  return html`<details class="${loop.light ? 'loop light' : 'loop'}"${isOpen && html` open`}>
<summary><h4>${name} <span class="unseen">of run ${run}: </span><span class="seen-by">${shortName(loop.detector)}</span></h4>
<span class="cost">${loop.light ? 'advice only' : `${counted(loop.wastedSteps, 'step')} wasted`}</span>
<span class="why">${prose(sentence(loop.text))}</span></summary>
<div class="evidence" id="${id}">
<dl>${facts(loop).map(([title, fact]) => html`<div><dt>${title}</dt><dd>${fact}</dd></div>\n`)}</dl>
<div class="plans"><h5>What Unrut would have done</h5>
${loop.plans.length > 0 ? plans(loop.plans) : html`<p>Recorded it, without intervening.</p>`}</div>
${loop.repeats.length > 0 && html`<h5>Repeats side by side</h5>\n${REPEATS_NOTE}${repeatsTables(loop, `${name} of run ${run}`)}`}
<p class="explain">Why? <code>${clip(explainCommand(of, loop), MAX.name)}</code></p>
<p class="link"><button type="button" class="copy" hidden data-issue="${clip(issueText({ run: of, loop }), MAX.text)}">Copy as issue</button> <a href="#${id}">Link to ${name.toLowerCase()} of run ${run}</a></p>
</div></details>\n`;
}

function facts(loop: ScannedLoop): [string, HtmlPiece][] {
  const whats = [...new Set(loop.repeats.map(({ what }) => what))];
  const shown = whats.slice(0, 3).map((what, i) => [i > 0 && ', ', html`<code>${shortName(what)}</code>`]);
  const seenBy = [shortName(loop.detector), ...loop.also.map(shortName)].map((name, i) => [i > 0 && ', ', html`<code>${name}</code>`]);
  const cost = [
    counted(loop.wastedSteps, 'step'),
    loop.wastedTokens !== undefined && counted(loop.wastedTokens, 'token'),
    loop.wastedUsd !== undefined && dollars(loop.wastedUsd),
  ];
  const all: [string, HtmlPiece][] = [
    ['What repeated', [shown, whats.length > 3 && ` and ${number(whats.length - 3)} more`]],
    ['How often', `${counted(loop.count, 'time')} (${shortName(loop.variant)})`],
    ['Where', `steps ${number(loop.start)} to ${number(loop.end)}, detected at step ${number(loop.firedAt)}`],
    ['Wasted', cost.filter(Boolean).join(', ')],
    ['Detected by', seenBy],
    ['Confidence', `${Math.round(100 * loop.strength)}%`],
  ];
  return all.filter(([title]) => !(title === 'What repeated' && whats.length === 0) && !(title === 'Wasted' && loop.light));
}

function plans(all: readonly PlanAt[]): Html {
  const left = all.length - MAX.plans;
  return html`<ol>${all.slice(0, MAX.plans).map(plan)}</ol>${left > 0 && html`<p class="note">and ${counted(left, 'more plan')}</p>`}`;
}

function plan({ step, rung, recovery, toModel, toHuman }: PlanAt): Html {
  return html`<li><p><strong>${rung}</strong> at step ${number(step)}: ${DEEDS[rung].does} <code>${shortName(recovery)}</code></p>
${forPeople(toModel) !== '' && html`<blockquote><span class="unseen">To the agent: </span>${prose(forPeople(toModel))}</blockquote>`}
${WITH_PEOPLE.has(rung) && html`<p class="to-human">To a human: ${prose(toHuman)}</p>`}</li>\n`;
}

/** Candidates with their scores are for the model. */
const forPeople = (text: string): string => text.replace(/\s*Ranked recovery candidates:[\s\S]*$/, '').trim();

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A text for people, in which `backticks` hold code. */
function prose(text: string): HtmlPiece {
  const parts = clip(text, MAX.text).split('`');
  if (parts.length % 2 === 0) return parts.join('`');
  return parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part));
}
