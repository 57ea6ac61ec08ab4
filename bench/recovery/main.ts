import type { Browser } from 'playwright-core';
import type { PlanValue, RunnerOptions, ScreenRunResult, Switch } from '../../src/computer-use/index.ts';
import { launchChromium } from '../../test/browser/chromium.ts';
import { LOOPS, QUIET } from '../../test/computer-use/scenarios.ts';
import { runScript, type Script } from '../../test/computer-use/script.ts';
import { computerUsePages } from '../../test/site/computer-use/pages.ts';
import { startSite } from '../../test/site/site.ts';

/** How much the runner may do. */
const ARMS: Readonly<Record<string, readonly Switch[]>> = {
  policy: [],
  'nudge only': ['loop-recovery', 'force-fill', 'force-submit', 'top-click-guard'],
  nothing: ['loop-recovery', 'force-fill', 'force-submit', 'top-click-guard', 'nudge', 'perceptual-diff'],
};

type Change = (script: Script, values: readonly PlanValue[]) => Script;

/** A brain that does what a nudge proposes: types what is missing, else presses a key. */
const heeds: Change = (script, values) => (scene) => {
  const { feedback, pending } = scene.view;
  if (!feedback.includes('actions in a row')) return script(scene);
  if (!feedback.includes('has the focus')) return { action: { type: 'key_press', keys: 'Return' } };
  const missing = values.find(({ label }) => pending.includes(label));
  return { action: missing ? { type: 'type_text', text: missing.value } : { type: 'key_press', keys: 'Tab' } };
};

const BRAINS: Readonly<Record<string, Change>> = { 'is deaf to nudges': (script) => script, 'heeds nudges': heeds };

const site = await startSite(computerUsePages);
const browser: Browser = await launchChromium();

async function run(path: string, script: Script, options: Partial<RunnerOptions>): Promise<ScreenRunResult> {
  const page = await browser.newPage({ viewport: { width: 800, height: 500 } });
  try {
    await page.goto(site.url + path);
    return await runScript(page, script, options);
  } finally {
    await page.close();
  }
}

const print = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

try {
  for (const [brain, change] of Object.entries(BRAINS)) {
    console.log(`\nA brain that loops and ${brain}:\n`);
    print(['page', ...Object.keys(ARMS), 'forced']);
    print(['page', ...Object.keys(ARMS), 'forced'].map(() => '---'));
    const sums = Object.keys(ARMS).map(() => ({ recovered: 0, steps: 0 }));
    for (const { path, plan = {}, brain: script } of LOOPS) {
      const cells: string[] = [];
      let forced = '';
      for (const [i, off] of Object.values(ARMS).entries()) {
        const result = await run(path, change(script, plan.values ?? []), { plan, off });
        const recovered = result.termination_reason === 'done';
        sums[i]!.steps += result.steps;
        if (recovered) sums[i]!.recovered++;
        cells.push(`${recovered ? 'recovered' : result.termination_reason}, ${result.steps} steps`);
        if (i === 0) forced = Object.keys(result.loop_recoveries_by_reason).join(', ') || '–';
      }
      print([path, ...cells, forced]);
    }
    print(['**all**', ...sums.map(({ recovered, steps }) => `**${recovered} of ${LOOPS.length}**, ${steps} steps`), '']);
  }

  console.log('\nWork that only looks like a loop, with the policy:\n');
  print(['page', 'ended', 'steps', 'false substitutions']);
  print(['---', '---', '---', '---']);
  let wrong = 0;
  for (const { path, what, brain } of QUIET) {
    const { termination_reason, steps, substitutions_by_gate } = await run(path, brain, { task: 'Go through all of it.' });
    const substituted = Object.values(substitutions_by_gate).reduce((sum, count) => sum + count, 0);
    wrong += substituted;
    print([`${path} (${what})`, termination_reason, steps, substituted]);
  }
  console.log(`\nFalse substitutions: ${wrong}.`);
  if (wrong > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await site.close();
}
