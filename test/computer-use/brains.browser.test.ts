import {
  type Brain,
  createAnthropicBrain,
  createOpenAiBrain,
  createRunner,
  type ScreenRunResult,
} from '@unrut/computer-use';
import { afterEach, describe, expect, it } from 'vitest';
import { useSite } from './drive.ts';
import { type Asked, startModelServer, type Turn } from './model-server.ts';

const site = useSite();
const plan = { values: [{ label: 'Customer number', value: '48151623' }] };

type Point = [x: number, y: number];
interface Dialect {
  name: string;
  brain(url: string): Brain;
  click(point: Point): Record<string, unknown>;
  look: Record<string, unknown>;
  /** The required part of every request. */
  expects: object;
  header?: [string, string];
}

const anthropic = (tool: 'computer_toolset_20260801'): Dialect => {
  const call = (name: string, input: object): Record<string, unknown> => ({
    name,
    toolset_name: 'computer',
    input,
  });
  return {
    name: `Anthropic, ${tool}`,
    brain: (url) =>
      createAnthropicBrain({ model: 'claude', tool, apiKey: 'test-key', baseUrl: url }),
    click: (coordinate) => call('left_click', { coordinate }),
    look: call('screenshot', {}),
    expects: {
      model: 'claude',
      tools: expect.arrayContaining([expect.objectContaining({ type: tool })]),
    },
    header: ['x-api-key', 'test-key'],
  };
};

const openAi = (tool: 'computer'): Dialect => ({
  name: `OpenAI, ${tool}`,
  brain: (url) =>
    createOpenAiBrain({ model: 'gpt', tool, apiKey: 'test-key', baseUrl: `${url}/v1` }),
  click: ([x, y]) => ({ actions: [{ type: 'click', x, y, button: 'left' }] }),
  look: { actions: [{ type: 'screenshot' }] },
  expects: { model: 'gpt', tools: expect.arrayContaining([{ type: tool }]) },
  header: ['authorization', 'Bearer test-key'],
});

const DIALECTS: Dialect[] = [anthropic('computer_toolset_20260801'), openAi('computer')];

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function run(
  path: string,
  brainAt: (url: string) => Brain,
  script: (asked: Asked, turn: number, points: Map<string, Point>) => Turn,
  busy = 0,
) {
  const page = await site.open(path);
  const points = new Map<string, Point>();
  for (const selector of ['#x1', '#save']) {
    const box = await page.locator(selector).boundingBox();
    if (box)
      points.set(selector, [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]);
  }
  const server = await startModelServer((asked, turn) => script(asked, turn, points), busy);
  closing.push(() => server.close());
  const runner = createRunner({
    brain: brainAt(server.url),
    page,
    task: 'Enter the customer number and save.',
    plan,
    maxSteps: 12,
    environment: {},
    allow: ['loop-recovery'],
    patience: { still: 60, most: 1500, idle: 300 },
  });
  return { result: (await runner.run()) satisfies ScreenRunResult, asked: server.asked };
}

describe.each(DIALECTS)('$name', ({ brain, click, look, expects, header }) => {
  it('clicks in circles, reads what was done instead, and finishes', async () => {
    let typed = false;
    let saved = false;
    const { result, asked } = await run('/odd-label', brain, ({ told }, turn, points) => {
      typed ||= told.includes('was typed');
      if (turn === 0) return { calls: [look] };
      if (!typed) return { calls: [click(points.get('#x1')!)] };
      if (saved) return { answer: 'The customer number was saved.' };
      saved = true;
      return { calls: [click(points.get('#save')!)] };
    });
    expect(result).toMatchObject({
      termination_reason: 'done',
      loop_recoveries_by_reason: { type_pending_value: 1 },
    });
    for (const { body, headers } of asked) {
      expect(body).toMatchObject(expects);
      expect(headers[header![0]]).toBe(header![1]);
    }
    expect(Math.max(...asked.map(({ pictures }) => pictures))).toBeLessThanOrEqual(10);
    expect(JSON.stringify(asked.map(({ body }) => body))).not.toContain('48151623');
  });

  it('is asked again when the service is busy, and says that it cannot be done', async () => {
    const { result } = await run(
      '/odd-label',
      brain,
      () => ({ answer: 'FAILED: there is no such form.' }),
      2,
    );
    expect(result).toMatchObject({
      termination_reason: 'done_failed',
      ending: 'there is no such form.',
    });
  });
});

it('a service that refuses is one clear line', async () => {
  const page = await site.open('/odd-label');
  const brain = createAnthropicBrain({ model: 'claude', apiKey: 'test-key', baseUrl: site.url });
  const runner = createRunner({ brain, page, task: 'Anything.', environment: {} });
  expect(await runner.run()).toMatchObject({
    termination_reason: 'brain_failed',
    ending: expect.stringMatching(/^The brain anthropic failed: it answered 404: /),
  });
});
