import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { sharedDatabases } from './fleet-databases.ts';
import { eventOf } from './load.ts';
import { startFleetServer } from './servers.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
/** Of Prometheus itself. */
const FOREIGN = ['up'];

/** The names of metrics that a query asks for. */
function namesIn(query: string): string[] {
  const text = query.replaceAll('$__rate_interval', '5m');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(text.slice(from, to));
    },
  });
  return names;
}

function queries(): string[] {
  const { groups } = parse(readFileSync(join(DEPLOY, 'alerts.yaml'), 'utf8')) as {
    groups: { rules: { expr: string }[] }[];
  };
  const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/unrut.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  return [...groups.flatMap(({ rules }) => rules), ...panels.flatMap(({ targets }) => targets)].map(
    ({ expr }) => expr,
  );
}

test('a server on Postgres has every metric that the dashboard and the alerts ask for', async () => {
  const wanted = new Set(queries().flatMap(namesIn));
  expect(wanted.size).toBeGreaterThan(20);
  const { server: ledger } = await sharedDatabases().newDatabase();
  const { url } = await startFleetServer({ ledger });
  const body = JSON.stringify(Array.from({ length: 20 }, (_, i) => eventOf('s', 0, i)));
  expect((await fetch(`${url}/v1/events`, { method: 'POST', body })).status).toBe(200);
  const told = async (): Promise<Set<string>> => {
    const text = await (await fetch(`${url}/metrics`)).text();
    return new Set([...text.matchAll(/^(?:# TYPE )?(\w+)/gm)].map(([, name]) => name!));
  };
  await expect
    .poll(
      async () =>
        [...wanted]
          .filter((name) => !FOREIGN.includes(name))
          .filter(
            (
              (known) => (name) =>
                !known.has(name)
            )(await told()),
          ),
      {
        timeout: 90_000,
        interval: 1000,
      },
    )
    .toEqual([]);
});
