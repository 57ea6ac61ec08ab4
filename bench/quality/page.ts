import type { Estimate } from './bootstrap.ts';
import { htmlText } from './html-text.ts';
import { listingsOf } from './listing.ts';
import { type Panel, plot, ratesUpTo, type Scale, SHARES, stepsUpTo } from './plot.ts';
import type { Report, SystemReport } from './report.ts';
import { portion, rate, steps, type Table } from './table.ts';
import { tablesOf } from './tables.ts';
import { mainFigures } from './tuning-table.ts';

const STYLE = `
:root { color-scheme: light dark; --ours: light-dark(#b3261e, #ff8a80); --faint: light-dark(#00000026, #ffffff33) }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2.5rem }
svg { width: 100%; height: auto } svg text { font-size: 12px; fill: currentColor }
.name { text-anchor: end } .axis { text-anchor: middle; opacity: .7 } .title { font-weight: 600 }
.grid { stroke: var(--faint) } .interval { stroke: currentColor; stroke-width: 2; opacity: .45 } .tick { stroke: currentColor; opacity: .3 }
circle { fill: currentColor } .ours { fill: var(--ours); color: var(--ours); font-weight: 600 } text.ours { fill: var(--ours) }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .7rem .15rem 0; text-align: right; white-space: nowrap } th:first-child, td:first-child { text-align: left }
thead th { border-bottom: 1px solid var(--faint) } li { overflow-wrap: anywhere; font-size: 13px }
`;

/** The report as one HTML page with plots, which loads nothing. */
export function page(report: Report): string {
  const ours = new Set(report.systems.slice(0, 1).map(({ name }) => name));
  const listings = listingsOf(report, ours).map(
    ({ title, lines }) =>
      `<details><summary>${htmlText(title)} (${lines.length})</summary><ul>${lines.map((line) => `<li>${htmlText(line)}</li>`).join('')}</ul></details>`,
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Unrut: quality</title><style>${STYLE}</style>
<h1>How well loops are seen</h1>
<p>${htmlText(corpusText(report))} Dots are values, lines the intervals in which 95 % of ${report.resamples} resamples of the runs lie.</p>
${mainFigures(report).map(tableHtml).join('\n')}
${plotsOf(report.systems)
  .map(({ title, svg }) => `<h2>${htmlText(title)}</h2>${svg}`)
  .join('\n')}
${tablesOf(report).map(tableHtml).join('\n')}
${listings.length === 0 ? '' : `<h2>To be read: ${htmlText([...ours].join())}</h2>${listings.join('\n')}`}
</html>
`;
}

/** The content of the corpus, one sentence per kind of labels. */
export function corpusText({ runs }: Report): string {
  const count = (number: number, noun: string): string =>
    `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  const sentences = { spans: '', verdict: '', unlabelled: '' };
  for (const [labels, those] of Map.groupBy(runs, (run) => run.labels)) {
    const sum = (of: 'steps' | 'loops'): number => those.reduce((total, run) => total + run[of], 0);
    sentences[labels] = {
      spans: `${count(those.length, 'run')} with ${count(sum('loops'), 'marked loop')} in ${count(sum('steps'), 'step')}.`,
      verdict: `${count(those.length, 'run')} with a yes or no.`,
      unlabelled: `${count(those.length, 'unlabelled run')} of ${count(sum('steps'), 'step')}.`,
    }[labels];
  }
  return Object.values(sentences)
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function plotsOf(systems: readonly SystemReport[]): { title: string; svg: string }[] {
  const names = systems.map(({ name }) => name);
  const panel = (
    title: string,
    scale: Scale,
    write: typeof portion,
    of: (system: SystemReport) => Estimate | null | undefined,
  ): Panel => ({
    title,
    scale,
    marks: systems.map((system) => {
      const estimate = of(system) ?? null;
      return { estimate, label: `${system.name}: ${write(estimate)}` };
    }),
  });
  const most = (of: (system: SystemReport) => (Estimate | null | undefined)[]): number =>
    Math.max(0, ...systems.flatMap(of).map((estimate) => estimate?.high ?? estimate?.value ?? 0));
  const rates = ratesUpTo(
    most(({ levels }) => [
      levels.warn.spans?.falsePerThousand,
      levels.warn.quiet?.alarmsPerThousand,
    ]),
  );
  const delays = stepsUpTo(Math.max(0, ...systems.flatMap((system) => system.delays)));
  const delay = panel(
    'from where a person would step in to the first warning; a tick for each loop',
    delays,
    steps,
    ({ levels }) => {
      const median = levels.warn.spans?.delayMedian;
      return (
        median && { ...median, low: median.value, high: levels.warn.spans!.delayNinetieth.value }
      );
    },
  );
  const plots = [
    {
      title: 'Marked loops: recall, precision, F1',
      panels: [
        panel('recall', SHARES, portion, ({ levels }) => levels.warn.spans?.recall),
        panel('precision', SHARES, portion, ({ levels }) => levels.warn.spans?.precision),
        panel('F1', SHARES, portion, ({ levels }) => levels.warn.spans?.f1),
      ],
    },
    {
      title: 'Delay in steps: median, and the line to 90 %',
      panels: [
        { ...delay, marks: delay.marks.map((mark, i) => ({ ...mark, ticks: systems[i]!.delays })) },
      ],
    },
    {
      title: 'False alarms per 1,000 steps',
      panels: [
        panel(
          'marked runs, clean steps',
          rates,
          rate,
          ({ levels }) => levels.warn.spans?.falsePerThousand,
        ),
        panel(
          'unlabelled daily work',
          rates,
          rate,
          ({ levels }) => levels.warn.quiet?.alarmsPerThousand,
        ),
      ],
    },
    {
      title: 'Whole runs, yes or no: recall, precision, F1',
      panels: [
        panel('recall', SHARES, portion, ({ levels }) => levels.warn.verdicts?.recall),
        panel('precision', SHARES, portion, ({ levels }) => levels.warn.verdicts?.precision),
        panel('F1', SHARES, portion, ({ levels }) => levels.warn.verdicts?.f1),
      ],
    },
  ];
  return plots
    .map(({ title, panels }) => ({
      title,
      panels: panels.filter(({ marks }) => marks.some(({ estimate }) => estimate)),
    }))
    .filter(({ panels }) => panels.length > 0)
    .map(({ title, panels }) => ({ title, svg: plot(names, panels) }));
}

function tableHtml({ title, about, head, rows }: Table): string {
  const row = (cells: readonly string[], tag: 'th' | 'td'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${htmlText(cell)}</${tag}>`).join('')}</tr>`;
  return `<h2>${htmlText(title)}</h2><p>${htmlText(about)}</p><div class="wide"><table><thead>${row(head, 'th')}</thead><tbody>${rows
    .map((cells) => row(cells, 'td'))
    .join('')}</tbody></table></div>`;
}
