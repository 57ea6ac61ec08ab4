import { beforeAll, describe, expect, test } from 'vitest';
import { labels } from '../../packages/server/src/prometheus.ts';
import { LOOPING } from '../hosts/looping-host.ts';
import { ask } from './request.ts';
import { SEEDED } from './seeded-ledger.ts';
import { type SeededServer, seededServer } from './seeded-server.ts';

let server: SeededServer;
beforeAll(async () => {
  server = await seededServer();
});

const HELP = /^# HELP ([a-z_]+) \S.*$/;
const TYPE = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/;
const SAMPLE =
  /^([a-z_]+)(\{(?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)+\})? (\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** The samples by name and labels; complains of any line that the format does not have. */
async function scrape(): Promise<Map<string, number>> {
  const { text, headers } = await server.look('/metrics');
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  let about = '';
  for (const line of text.trimEnd().split('\n')) {
    const named = HELP.exec(line)?.[1] ?? TYPE.exec(line)?.[1];
    if (named !== undefined) {
      about = named;
      continue;
    }
    const [, name = '', of = '', value] = SAMPLE.exec(line) ?? [];
    expect(name.replace(/_(?:bucket|sum|count)$/, ''), line).toBe(about);
    expect(samples.has(name + of), line).toBe(false);
    samples.set(name + of, Number(value));
  }
  return samples;
}

describe('GET /metrics', () => {
  test('counts what is in the ledger', async () => {
    const samples = await scrape();
    expect(Object.fromEntries(samples)).toMatchObject({
      'unrut_info{version="0.0.0"}': 1,
      'unrut_sessions{state="looping"}': 2,
      unrut_steps_total: 196,
      'unrut_signals_total{detector="repeated-call"}': 24,
      'unrut_plans_total{rung="block"}': 15,
      'unrut_outcomes_total{outcome="recovered"}': 19,
      unrut_wasted_steps_total: 59,
      unrut_tokens_total: 572_400,
      unrut_faults_total: 0,
    });
  });

  test('counts recoveries of tasks by name, and tasks by attempts', async () => {
    const samples = Object.fromEntries(await scrape());
    // One task of the seeded roadmap was done at once; two looped, and were recovered from.
    expect(samples).toMatchObject({
      'unrut_tasks{attempts="1"}': 1,
      'unrut_tasks{attempts="2"}': 0,
      'unrut_tasks{attempts="3+"}': 2,
      'unrut_plans_total{rung="redirect"}': expect.any(Number),
      'unrut_recoveries_total{recovery="force-next"}': 1,
      'unrut_recoveries_total{recovery="unblock-authority"}': 1,
    });
  });

  test('counts requests by route and status, and takes no names from outside', async () => {
    await server.look(`/v1/sessions/${SEEDED.looping}`);
    await server.look('/v1/sessions/none');
    await server.look('/made/up"\n');
    const samples = await scrape();
    expect(
      samples.get('unrut_http_requests_total{method="GET",route="/v1/sessions/:id",status="200"}'),
    ).toBe(1);
    expect(
      samples.get('unrut_http_requests_total{method="GET",route="/v1/sessions/:id",status="404"}'),
    ).toBe(1);
    expect(samples.get('unrut_http_requests_total{method="GET",route="none",status="404"}')).toBe(
      1,
    );
  });

  test('tells how long reports took, as a histogram', async () => {
    for (const n of [1, 2, 3])
      await ask(`${server.url}/v1/hooks/claude-code`, {
        body: JSON.stringify(LOOPING['claude-code'].before(n)),
      });
    const samples = await scrape();
    const buckets = [...samples]
      .filter(([name]) => name.startsWith('unrut_ingest_duration_seconds_bucket'))
      .map(([, count]) => count);
    expect(buckets).toEqual([...buckets].sort((one, other) => one - other));
    expect(buckets.at(-1)).toBe(3);
    expect(samples.get('unrut_ingest_duration_seconds_count')).toBe(3);
    expect(samples.get('unrut_ingest_duration_seconds_sum')).toBeGreaterThan(0);
  });

  test('never counts down, whatever is deleted', async () => {
    const before = await scrape();
    await server.ledger.forget();
    const after = await scrape();
    for (const [name, value] of before)
      if (/_total\b/.test(name)) expect(after.get(name) ?? 0, name).toBeGreaterThanOrEqual(value);
    expect(after.get('unrut_sessions{state="ended"}')).toBe(0);
  });

  test('escapes what would break a line', () => {
    expect(labels({ detector: 'a"b\\c\nd' })).toBe('{detector="a\\"b\\\\c\\nd"}');
  });
});
