import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createRunner, createScriptedBrain } from '@unrut/computer-use';
import { launchChromium } from '../browser/chromium.ts';
import { computerUsePages } from '../site/computer-use/pages.ts';
import { startSite } from '../site/site.ts';

/**
 * Runs 200 steps and prints, as JSON, how they ended and the bytes on the heap after the 50th and
 * the 200th.
 */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const used = (): number => {
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
};
const site = await startSite(computerUsePages);
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 320, height: 240 } });
await page.goto(`${site.url}/click-game`);
const heap: Record<number, number> = {};
const result = await createRunner({
  page,
  task: 'Play.',
  maxSteps: 200,
  environment: {},
  patience: { still: 0, most: 0, idle: 0 },
  brain: createScriptedBrain([
    { action: { type: 'click', x: 80, y: 130 }, reasoning: 'Continue. '.repeat(20) },
  ]),
  async onStep({ step }, screenshot) {
    await screenshot();
    if (step === 50 || step === 200) heap[step] = used();
  },
}).run();
console.log(JSON.stringify({ reason: result.termination_reason, steps: result.steps, heap }));
await browser.close();
await site.close();
