import { present } from '@unrut/engine/json';
import type { FrameLocator, Locator, Mouse, Page } from 'playwright-core';
import type { Proposal, ScreenAction } from './action.ts';
import type { ScreenLoop } from './gates/gate.ts';
import { performAction } from './perform.ts';
import { StepGuard, type StepGuardOptions } from './step-guard.ts';

/** A guarded page for a runner of your own. */
export interface GuardedPage {
  /**
   * Use it in place of the page: clicks, typing, keys and the wheel pass the gates, including those
   * of locators and in frames. Everything else goes to the page unchanged.
   */
  page: Page;
  /** Sets what the agent says about its next action, if the runner knows it. */
  says(reasoning: string, planStep?: number): void;
  /** The feedback for the model before its next action; may be empty. Returned once. */
  takeFeedback(): string;
  /** Whether the last actions loop. A runner should stop at `hard`. */
  readonly loop: ScreenLoop;
  /** The last 50 substitutions, oldest first. */
  readonly substitutions: readonly { gate: string; reason: string }[];
}

const MAX_SUBSTITUTIONS = 50;
const MAKES_LOCATOR =
  'locator getByRole getByText getByLabel getByPlaceholder getByTestId getByTitle getByAltText first last nth filter and or'.split(
    ' ',
  );
/** Time limit for locating an element, in milliseconds. Waiting for it is left to Playwright. */
const BOX_TIMEOUT = 5000;

/** The options of a click. */
interface ClickOptions {
  button?: 'left' | 'right' | 'middle';
  clickCount?: number;
  modifiers?: readonly string[];
  position?: { x: number; y: number };
  trial?: boolean;
  timeout?: number;
}

function clickAt(
  x: number,
  y: number,
  { button, clickCount = 1, modifiers = [] }: ClickOptions = {},
): ScreenAction {
  if (clickCount > 1) return { type: clickCount === 2 ? 'double_click' : 'triple_click', x, y };
  return {
    type: 'click',
    x,
    y,
    ...(button ? { button } : {}),
    ...(modifiers.length > 0 ? { keys: modifiers.join('+') } : {}),
  };
}

/**
 * Adds the gates, nudges and forced actions of the runner to a page. A fault of the guard never
 * prevents an action.
 */
export function guardPage(page: Page, options: StepGuardOptions = {}): GuardedPage {
  const guard = new StepGuard(options);
  const substitutions: { gate: string; reason: string }[] = [];
  let feedback: string[] = [];
  let loop: ScreenLoop = 'none';
  let said: Pick<Proposal, 'reasoning' | 'planStep'> = {};

  /** Performs what the gates decide, usually the requested action. */
  async function step<T>(action: ScreenAction, asked: () => Promise<T>): Promise<T | undefined> {
    const decision = await guard.before(page, { action, ...said }).catch(() => null);
    said = {};
    if (!decision) return asked();
    const { action: instead, substitution } = decision;
    const doing: Promise<T | undefined> = substitution
      ? performAction(page, instead).then(() => undefined)
      : asked();
    // Repeated equal failures are a loop, too.
    const failed = await doing.then(
      () => '',
      (error: Error) => `This could not be done: ${error.message.split('\n', 1)[0]}`,
    );
    if (substitution && failed === '') {
      substitutions.push({ gate: substitution.gate, reason: substitution.reason });
      if (substitutions.length > MAX_SUBSTITUTIONS) substitutions.shift();
    }
    const after = await guard.after(page, decision, failed).catch(() => null);
    if (after) {
      loop = after.loop;
      feedback = after.feedback;
    }
    return doing;
  }

  const mouse = over(page.mouse, {
    click: (x: number, y: number, options?: ClickOptions) =>
      step(clickAt(x, y, options), () => page.mouse.click(x, y, options)),
    dblclick: (x: number, y: number, options?: Parameters<Mouse['dblclick']>[2]) =>
      step({ type: 'double_click', x, y }, () => page.mouse.dblclick(x, y, options)),
    wheel: (right: number, down: number) =>
      step(
        {
          type: 'scroll',
          direction: down < 0 ? 'up' : 'down',
          amount: Math.abs(down || right) / 100,
        },
        () => page.mouse.wheel(right, down),
      ),
  });
  const keyboard = over(page.keyboard, {
    type: (text: string, ...rest: unknown[]) =>
      step({ type: 'type_text', text }, () => page.keyboard.type(text, ...(rest as []))),
    insertText: (text: string) =>
      step({ type: 'type_text', text }, () => page.keyboard.insertText(text)),
    press: (keys: string, ...rest: unknown[]) =>
      step({ type: 'key_press', keys }, () => page.keyboard.press(keys, ...(rest as []))),
  });

  /** An action on a locator's element. A missing or ambiguous element is left to Playwright. */
  async function at<T>(
    locator: Locator,
    make: (point: { x: number; y: number }) => ScreenAction,
    asked: () => Promise<T>,
    { position, trial, timeout }: ClickOptions = {},
  ): Promise<T | undefined> {
    const isThere =
      !trial &&
      (await locator.count().catch(() => 0)) === 1 &&
      (await locator.isVisible().catch(() => false));
    if (!isThere) return asked();
    const limit = { timeout: Math.min(timeout || BOX_TIMEOUT, BOX_TIMEOUT) };
    const box = await locator
      .scrollIntoViewIfNeeded(limit)
      .then(() => locator.boundingBox(limit))
      .catch(() => null);
    if (!box) return asked();
    const { x, y } = position ?? { x: box.width / 2, y: box.height / 2 };
    return step(make({ x: Math.round(box.x + x), y: Math.round(box.y + y) }), asked);
  }

  /** The methods that act on an element: with a selector on a page, without one on a locator. */
  function acts(
    find: (args: unknown[]) => [locator: Locator, rest: unknown[]],
    from: object,
  ): Record<string, unknown> {
    const guardedBy = (
      name: string,
      make: (rest: unknown[], point: { x: number; y: number }) => ScreenAction,
      options: number,
    ) => [
      name,
      (...args: unknown[]) => {
        const [locator, rest] = find(args);
        const asked = (): Promise<unknown> =>
          (Reflect.get(from, name) as (...all: unknown[]) => Promise<unknown>).apply(from, args);
        return at(
          locator,
          (point) => make(rest, point),
          asked,
          (rest[options] ?? {}) as ClickOptions,
        );
      },
    ];
    const typed = (rest: unknown[], point: { x: number; y: number }): ScreenAction => ({
      type: 'type_text',
      text: String(rest[0]),
      ...point,
    });
    return Object.fromEntries([
      guardedBy('click', ([options], { x, y }) => clickAt(x, y, options as ClickOptions), 0),
      guardedBy('check', (_, point) => ({ type: 'click', ...point }), 0),
      guardedBy('dblclick', (_, point) => ({ type: 'double_click', ...point }), 0),
      guardedBy(
        'fill',
        (rest, point) => ({ ...typed(rest, point), replace: true }) as ScreenAction,
        1,
      ),
      guardedBy('type', typed, 1),
      guardedBy('pressSequentially', typed, 1),
      guardedBy('press', ([keys]) => ({ type: 'key_press', keys: String(keys) }), 1),
    ]);
  }

  const guardLocator = (locator: Locator): Locator =>
    over(locator, { ...acts((args) => [locator, args], locator), ...makers(locator) });

  function makers(from: Page | Locator | FrameLocator): Record<string, unknown> {
    const wrap = (
      names: readonly string[],
      guardIt: (made: never) => unknown,
    ): [string, unknown][] =>
      names.flatMap((name): [string, unknown][] => {
        const make = (from as unknown as Record<string, unknown>)[name];
        return typeof make === 'function'
          ? [[name, (...args: unknown[]) => guardIt(make.apply(from, args) as never)]]
          : [];
      });
    const frames = (made: FrameLocator): FrameLocator => over(made, makers(made));
    return Object.fromEntries([
      ...wrap(MAKES_LOCATOR, guardLocator),
      ...wrap(['frameLocator', 'contentFrame'], frames),
    ]);
  }

  const { pressSequentially: _, ...onPage } = acts(
    ([selector, ...rest]) => [page.locator(String(selector)), rest],
    page,
  );
  const guarded = over(page, { mouse, keyboard, ...onPage, ...makers(page) });

  return {
    page: guarded,
    says(reasoning, planStep) {
      said = { reasoning, ...present({ planStep }) };
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

/** The object with some members replaced. */
const over = <T extends object>(object: T, members: Readonly<Record<string, unknown>>): T =>
  new Proxy(object, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(members, name)) return members[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
