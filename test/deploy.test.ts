import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

const DEPLOY = join(import.meta.dirname, '../deploy');
const text = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8');
const MANIFESTS = globSync('kubernetes/*.yaml', { cwd: DEPLOY }).sort();

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  resources?: string[];
  spec: Record<string, unknown>;
}

const manifestsIn = (path: string): Manifest[] =>
  parseAllDocuments(text(path)).map((document) => document.toJS() as Manifest);
const all = MANIFESTS.flatMap(manifestsIn);
/** Resources that are not part of Kubernetes. */
const FOREIGN = ['kustomize.config.k8s.io/v1beta1'];

describe('the manifests for Kubernetes', () => {
  test.each(
    all
      .filter(({ apiVersion }) => !FOREIGN.includes(apiVersion))
      .map((each) => [each.kind, each] as const),
  )('%s is what the schema of Kubernetes allows', async (kind, manifest) => {
    const models = (await import(
      /* @vite-ignore */ `kubernetes-models/${manifest.apiVersion}`
    )) as Record<string, new (data: object) => Model>;
    const Model = models[kind]!;
    expect(() => new Model(manifest).validate()).not.toThrow();
    expect(() => new Model({ ...manifest, metadata: 7 }).validate()).toThrow('must be object');
  });

  test.each(['kubernetes', 'kubernetes/monitoring'])('in %s are all named there', (folder) => {
    const { resources } = manifestsIn(`${folder}/kustomization.yaml`)[0]!;
    expect([...resources!, 'kustomization.yaml'].sort()).toEqual(
      globSync('*.yaml', { cwd: join(DEPLOY, folder) }).sort(),
    );
  });

  test('need nothing that Kubernetes does not have, but for monitoring', () => {
    expect(all.map(({ kind }) => kind)).not.toContain('ServiceMonitor');
    expect(manifestsIn('kubernetes/monitoring/service-monitor.yaml')[0]!.kind).toBe(
      'ServiceMonitor',
    );
  });

  test('run everything without rights, without a writable root, and with time to drain', () => {
    const pods = ['deployment', 'migrate', 'upkeep'].map((name) =>
      podOf(manifestsIn(`kubernetes/${name}.yaml`)[0]!),
    );
    for (const pod of pods) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
    expect(pods[0]!.terminationGracePeriodSeconds).toBeGreaterThan(25);
  });
});

interface Model {
  validate(): void;
}

interface Pod {
  securityContext: object;
  terminationGracePeriodSeconds?: number;
  containers: { securityContext: object }[];
}

function podOf({ spec }: Manifest): Pod {
  const holder = (spec.jobTemplate as { spec: object } | undefined)?.spec ?? spec;
  return (holder as { template: { spec: Pod } }).template.spec;
}

interface Service {
  image: string;
  read_only?: boolean;
  profiles?: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
  volumes?: string[];
  environment?: Record<string, string>;
}

describe('compose.yaml', () => {
  const { services, volumes } = parse(text('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };

  test('has a database, migrations, two servers and a proxy that begin in this order', () => {
    const before = (name: string): string[] => {
      const { depends_on: needed = [] } = services[name]!;
      const names = Array.isArray(needed) ? needed : Object.keys(needed);
      return [...names.flatMap(before), ...names];
    };
    expect(new Set(before('caddy'))).toEqual(
      new Set(['secrets', 'postgres', 'migrate', 'unrut-1', 'unrut-2']),
    );
    for (const name of ['migrate', 'unrut-1', 'unrut-2', 'upkeep', 'secrets'])
      expect([name, services[name]!.read_only]).toEqual([name, true]);
    expect(Object.keys(services).filter((name) => services[name]!.profiles)).toEqual([
      'prometheus',
      'grafana',
    ]);
  });

  test('mounts only what is there, and holds no secret', () => {
    for (const [name, { volumes: mounts = [], environment = {} }] of Object.entries(services)) {
      for (const mount of mounts) {
        const source = mount.split(':')[0]!;
        if (source.startsWith('.'))
          expect([name, statSync(join(DEPLOY, source)) !== undefined]).toEqual([name, true]);
        else expect(Object.keys(volumes)).toContain(source);
      }
      for (const [variable, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|TOKEN|LEDGER/.test(variable))
          expect([variable, value]).toEqual([
            expect.stringMatching(/_FILE$/),
            expect.stringMatching(/^\/secrets\//),
          ]);
    }
  });

  test('has every service that the proxy and Prometheus name', () => {
    const targets = `${text('Caddyfile')}${text('prometheus/prometheus.yaml')}`.match(/unrut-\d/g);
    expect(new Set(targets)).toEqual(
      new Set(Object.keys(services).filter((name) => /^unrut-\d$/.test(name))),
    );
    expect(text('Caddyfile')).toMatch(/lb_policy header X-Unrut-Session/);
  });
});

/** Whether PromQL can be read. Variables of Grafana stand for spans of time. */
function isQuery(given: string): boolean {
  const wrong: string[] = [];
  parser.parse(given.replaceAll('$__rate_interval', '5m')).iterate({
    enter: ({ type, name }) => {
      if (type.isError) wrong.push(name);
    },
  });
  return wrong.length === 0;
}

describe('alerts and dashboard', () => {
  test('ask in PromQL', () => {
    const { groups } = parse(text('alerts.yaml')) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.map(({ alert }) => alert)).toEqual([
      ...[
        'UnrutNotReady',
        'UnrutSlowSteps',
        'UnrutJobsBehind',
        'UnrutDaysMissing',
        'UnrutArchivingFails',
      ],
    ]);
    const { panels } = JSON.parse(text('grafana/unrut.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const queries = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
    expect(queries.filter((query) => !isQuery(query))).toEqual([]);
    expect(isQuery('rate(unrut_ready[5m]) >')).toBe(false);
  });

  test('no two panels lie on each other', () => {
    const { panels } = JSON.parse(text('grafana/unrut.json')) as {
      panels: { gridPos: { x: number; y: number; w: number; h: number } }[];
    };
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});
