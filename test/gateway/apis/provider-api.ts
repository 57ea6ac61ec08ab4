import type { ModelReads, ScriptedAnswer } from '../../suites/test-framework.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a client sends, in the shape that its provider documents.
export type Json = any;

export interface Reply extends ScriptedAnswer {
  id: string;
  thought?: string | undefined;
}

/** A provider's API with its rules. */
export interface ProviderApi {
  asks(url: string): boolean;
  isStreamed(body: Json, url: string): boolean;
  /** Throws `BrokenRule` if the provider would refuse the request. */
  read(body: Json): Omit<ModelReads, 'request'>;
  write(body: Json, reply: Reply): { whole: object; events: string[] };
  failure(message: string, status: number): object;
}

export class BrokenRule extends Error {}

export function rule(holds: boolean, message: string): void {
  if (!holds) throw new BrokenRule(message);
}

/** Every call has one result, right after it. */
export function ruleOfResults(calls: readonly string[], results: readonly string[]): void {
  rule(
    [...calls].sort().join() === [...results].sort().join(),
    `expected one result for each of the calls ${calls.join()}, got ${results.join()}`,
  );
}

export const sse = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/** Words, each with the blank after it. */
export const words = (text = ''): string[] => (text === '' ? [] : text.split(/(?<= )/));

/** The texts in a content, which is a text or a list of blocks. */
export const textIn = (content: Json): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((block) => block.text ?? '').join('\n\n')
      : '';
