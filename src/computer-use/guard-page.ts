import type { Keyboard, Locator, Mouse, Page } from 'playwright-core';
import type { Proposal, ScreenAction } from './action.ts';
import type { ScreenLoop } from './gates/gate.ts';
import { performAction } from './perform.ts';
import { StepGuard, type StepGuardOptions } from './step-guard.ts';

/** A page for somebody else's runner. */
export interface GuardedPage {
  /** To be used in place of the page: clicks, typing, keys and the wheel pass the gates; all else is the page itself. */
  page: Page;
  /** What the agent says about its next action, where the runner knows it. */
  says(reasoning: string, planStep?: number): void;
  /** What the model should read before its next action; empty when there is nothing to say. Taken once. */
  takeFeedback(): string;
  /** Whether the last actions go round. A runner should stop at `hard`. */
  readonly loop: ScreenLoop;
  /** What was done in place of what was asked for, oldest first; the last 50. */
  readonly substitutions: readonly { gate: string; reason: string }[];
}

const MAX_SUBSTITUTIONS = 50;
const MAKES_LOCATOR = new Set(
  'locator getByRole getByText getByLabel getByPlaceholder getByTestId getByTitle getByAltText first last nth filter and or'.split(' '),
);

/** Gives a page the gates, nudges and forced actions of the runner, without the runner. A fault of the guard never stops an action. */
export function guardPage(page: Page, options: StepGuardOptions = {}): GuardedPage {
  const guard = new StepGuard(options);
  const substitutions: { gate: string; reason: string }[] = [];
  let feedback: string[] = [];
  let loop: ScreenLoop = 'none';
  let said: Pick<Proposal, 'reasoning' | 'planStep'> = {};

  /** Does what the gates decide: mostly what was asked for. */
  async function step<T>(action: ScreenAction, asked: () => Promise<T>): Promise<T | undefined> {
    const decision = await guard.before(page, { action, ...said }).catch(() => null);
    said = {};
    let result: T | undefined;
    if (decision?.substitution) {
      await performAction(page, decision.action);
      const { gate, reason } = decision.substitution;
      substitutions.push({ gate, reason });
      if (substitutions.length > MAX_SUBSTITUTIONS) substitutions.shift();
    } else result = await asked();
    const after = decision && (await guard.after(page, decision).catch(() => null));
    if (after) {
      loop = after.loop;
      feedback = after.feedback;
    }
    return result;
  }

  const mouse = over(page.mouse, {
    click: (x: number, y: number, ...rest: Rest<Mouse['click'], 2>) => step({ type: 'click', x, y }, () => page.mouse.click(x, y, ...rest)),
    dblclick: (x: number, y: number, ...rest: Rest<Mouse['dblclick'], 2>) =>
      step({ type: 'double_click', x, y }, () => page.mouse.dblclick(x, y, ...rest)),
    wheel: (right: number, down: number) =>
      step({ type: 'scroll', direction: down < 0 ? 'up' : 'down', amount: Math.abs(down || right) / 100 }, () =>
        page.mouse.wheel(right, down),
      ),
  });
  const keyboard = over(page.keyboard, {
    type: (text: string, ...rest: Rest<Keyboard['type'], 1>) => step({ type: 'type_text', text }, () => page.keyboard.type(text, ...rest)),
    insertText: (text: string) => step({ type: 'type_text', text }, () => page.keyboard.insertText(text)),
    press: (keys: string, ...rest: Rest<Keyboard['press'], 1>) =>
      step({ type: 'key_press', keys }, () => page.keyboard.press(keys, ...rest)),
  });

  /** An action on what a locator finds; without a place on the screen it is simply done. */
  async function at<T>(
    locator: Locator,
    make: (point: { x: number; y: number }) => ScreenAction,
    asked: () => Promise<T>,
  ): Promise<T | undefined> {
    const box = await locator
      .scrollIntoViewIfNeeded()
      .then(() => locator.boundingBox())
      .catch(() => null);
    return box ? step(make({ x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }), asked) : asked();
  }

  const guardLocator = (locator: Locator): Locator =>
    over(locator, {
      click: (...rest: Parameters<Locator['click']>) =>
        at(
          locator,
          (point) => ({ type: 'click', ...point }),
          () => locator.click(...rest),
        ),
      dblclick: (...rest: Parameters<Locator['dblclick']>) =>
        at(
          locator,
          (point) => ({ type: 'double_click', ...point }),
          () => locator.dblclick(...rest),
        ),
      fill: (text: string, ...rest: Rest<Locator['fill'], 1>) =>
        at(
          locator,
          (point) => ({ type: 'type_text', text, replace: true, ...point }),
          () => locator.fill(text, ...rest),
        ),
      ...makers(locator),
    });

  function makers(from: Page | Locator): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const name of MAKES_LOCATOR) {
      const make = (from as unknown as Record<string, unknown>)[name];
      if (typeof make === 'function') made[name] = (...args: unknown[]) => guardLocator(make.apply(from, args));
    }
    return made;
  }

  const guarded = over(page, {
    mouse,
    keyboard,
    click: (selector: string, ...rest: Rest<Page['click'], 1>) =>
      at(
        page.locator(selector),
        (point) => ({ type: 'click', ...point }),
        () => page.click(selector, ...rest),
      ),
    fill: (selector: string, text: string, ...rest: Rest<Page['fill'], 2>) =>
      at(
        page.locator(selector),
        (point) => ({ type: 'type_text', text, replace: true, ...point }),
        () => page.fill(selector, text, ...rest),
      ),
    ...makers(page),
  });

  return {
    page: guarded,
    says(reasoning, planStep) {
      said = { reasoning, ...(planStep === undefined ? {} : { planStep }) };
    },
    takeFeedback() {
      const taken = feedback.join(' ');
      feedback = [];
      return taken;
    },
    get loop() {
      return loop;
    },
    substitutions,
  };
}

/** The arguments of a function after the first ones. */
type Rest<F extends (...args: never[]) => unknown, N extends number> =
  Parameters<F> extends readonly [...infer All]
    ? N extends 1
      ? All extends readonly [unknown, ...infer Others]
        ? Others
        : All
      : All extends readonly [unknown, unknown, ...infer Others]
        ? Others
        : All
    : never;

/** The object with some of its members replaced. */
const over = <T extends object>(object: T, members: Readonly<Record<string, unknown>>): T =>
  new Proxy(object, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(members, name)) return members[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
