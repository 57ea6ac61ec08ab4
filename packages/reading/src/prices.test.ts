import { describe, expect, test } from 'vitest';
import { modelPrice } from './prices.ts';
import { responseCost, spentIn } from './response-cost.ts';

const PRICES = {
  claude: { input: 1, output: 2 },
  'claude-sonnet': { input: 3, output: 15, cached: 0.3, written: 3.75 },
};

describe('the price of a model', () => {
  test.each([
    ['claude-sonnet-4-5', PRICES['claude-sonnet']],
    ['claude-opus-5', PRICES.claude],
    ['gpt-6', undefined],
    [undefined, undefined],
  ])('of %s is that of the longest name that it begins with', (model, price) => {
    expect(modelPrice(PRICES, model)).toEqual(price);
  });
});

describe('the cost of a response', () => {
  const price = PRICES['claude-sonnet'];

  test('counts each token once, by the price of its kind', () => {
    const usage = {
      input_tokens: 1000,
      output_tokens: 100,
      cache_read_input_tokens: 10_000,
      cache_creation_input_tokens: 200,
    };
    expect(responseCost(usage, price)?.usd).toBeCloseTo(
      (1000 * 3 + 10_000 * 0.3 + 200 * 3.75 + 100 * 15) / 1e6,
    );
    expect(responseCost(usage)).toEqual({ tokens: 1300 });
  });

  test('takes cached tokens out of an input that counts them in', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 100,
      prompt_tokens_details: { cached_tokens: 400 },
    };
    expect(responseCost(usage, price)?.usd).toBeCloseTo((600 * 3 + 400 * 0.3 + 100 * 15) / 1e6);
    expect(responseCost(usage, price)?.tokens).toBe(700);
  });

  test('is what the provider reports, if it reports one', () => {
    expect(responseCost({ prompt_tokens: 1, completion_tokens: 1, cost: 0.5 }, price)?.usd).toBe(
      0.5,
    );
  });

  test('is unknown if the price lacks a kind that was counted, and is never guessed', () => {
    const counts = { input: 'in', output: 'out' };
    expect(spentIn({ in: 10, out: 5 }, counts, { input: 3 })).toEqual({ tokens: 15 });
    expect(spentIn({ in: 10, out: 0 }, counts, { input: 3 })).toEqual({ tokens: 10, usd: 0.00003 });
    expect(spentIn({ in: 10, out: 5 }, counts)).toEqual({ tokens: 15 });
  });
});
