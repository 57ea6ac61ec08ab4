import { randomUUID } from 'node:crypto';
import { BlockList } from 'node:net';
import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import { UnrutError } from '@unrut/engine/errors';
import { checkValue } from '@unrut/engine/schema/problems';
import type { Config } from '@unrut/ledger/config/config';
import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import { configSchema } from '@unrut/ledger/config/schema';
import { toSettings } from '@unrut/ledger/config/to-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { DEFAULT_PROJECT, type OrganisationStore } from '@unrut/ledger/organisation';
import type { Postgres } from '@unrut/postgres/open-postgres';
import { createOrganisations } from '@unrut/postgres/organisation/organisations';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import { openReading } from '../api/reading.ts';
import type { AppOptions } from '../create-app.ts';
import { remembered } from '../remembered.ts';
import { projectOf } from './member.ts';
import { createOpenId } from './open-id.ts';
import type { LookPlace, ReportPlace } from './organisation-app.ts';
import { type SessionQuota, withSessionQuota } from './session-quota.ts';
import { readProxies } from './trusted-proxies.ts';

export interface OpenOrganisations {
  postgres: Postgres;
  environment: Readonly<Record<string, string | undefined>>;
  /** Where people reach the server. Only there they can sign in. */
  publicUrl?: string | undefined;
  /** What is in force on this server, where a project says nothing else. */
  settings: () => LoadedSettings;
}

const MIN_SECRET_LENGTH = 32;
/** Milliseconds for which the rules of projects are remembered. */
const REMEMBERED = 5000;

/**
 * What a server for the organisations of a database needs. Throws in one line where the variables
 * say something else than is expected.
 */
export async function openOrganisations({
  postgres,
  environment,
  publicUrl,
  settings,
}: OpenOrganisations): Promise<NonNullable<AppOptions['organisations']>> {
  const secret = environment.UNRUT_SECRET?.trim() ?? '';
  if (secret.length < MIN_SECRET_LENGTH)
    throw wrong(
      'UNRUT_SECRET',
      `at least ${MIN_SECRET_LENGTH} characters, the same on every server`,
      `${secret.length}`,
    );
  const proxies = readProxies(environment.UNRUT_TRUSTED_PROXIES ?? '');
  if (!(proxies instanceof BlockList))
    throw wrong('UNRUT_TRUSTED_PROXIES', 'addresses such as 10.0.0.0/8,::1', proxies.wrong);
  const organisations = createOrganisations(postgres.database);
  const name = environment.UNRUT_ORGANISATION?.trim() || 'default';
  const org = await organisations.named(name);
  if (org === undefined)
    throw wrong('UNRUT_ORGANISATION', 'the name of an organisation of this database', name);
  const openId = openIdFor(environment, publicUrl);
  const projectsOf = remembered(REMEMBERED, 1000, (number) =>
    organisations.of(Number(number)).projects(),
  );

  const organisationOf = remembered(REMEMBERED, 1000, (number) =>
    organisations.of(Number(number)).organisation(),
  );

  async function sessionQuotas(of: number, project: number | undefined): Promise<SessionQuota[]> {
    const { settings: own } = await organisationOf(String(of));
    const found = (await projectsOf(String(of))).find((each) => each.project === project);
    return [
      { of: 'this organisation', most: own.quota?.sessions, project: undefined },
      { of: `the project ${found?.name}`, most: found?.settings.quota?.sessions, project },
    ].flatMap(({ most, ...quota }) => (most === undefined ? [] : [{ ...quota, most }]));
  }

  return {
    organisations,
    org,
    secret,
    proxies,
    server: randomUUID(),
    ...(openId ? { openId } : {}),
    async report({ org, project, config }: ReportPlace) {
      const key = await organisations.of(org).fingerprintKey(secret);
      let projects = await projectsOf(String(org));
      /** The rules as they were a moment ago: no event waits for them. */
      const byRule = (session: { repo?: string | null; folder?: string | null }): number => {
        projectsOf(String(org)).then(
          (found) => {
            projects = found;
          },
          () => undefined,
        );
        return (
          projectOf(projects, {
            repo: session.repo ?? undefined,
            folder: session.folder ?? undefined,
          }) ?? DEFAULT_PROJECT
        );
      };
      const own = config === undefined ? settings().settings : settingsIn(config);
      return {
        ledger: withSessionQuota(
          postgres.ledger({ org, project: project ?? byRule }),
          organisations.of(org),
          () => sessionQuotas(org, project),
        ),
        settingsIn: (): HookSettings => ({ ...own, guard: { ...own.guard, key } }),
      };
    },
    async look(place: LookPlace) {
      const { projects, ...whose } = place;
      const reports = createPostgresReports({
        connections: postgres.reads,
        ...whose,
        ...(projects ? { projects } : {}),
      });
      const ledger = withinPlace(
        postgres.ledger({ org: place.org }),
        organisations.of(place.org),
        place,
      );
      return { reading: openReading({ ...ledger, reports }), settings };
    },
  };
}

/**
 * States and context of a session are only there for those who may see it; all else is asked of
 * reports. States of a run are named after it.
 */
function withinPlace(
  ledger: Ledger,
  store: OrganisationStore,
  { projects, hideFrom }: LookPlace,
): Ledger {
  if (projects === undefined && hideFrom === undefined) return ledger;
  const isSeen = async (name = ''): Promise<boolean> => {
    const place = await store.sessionPlace(name.split('\u0001', 1)[0]!);
    return (
      place !== undefined &&
      (projects?.includes(place.project) ?? true) &&
      (hideFrom === undefined || place.person === hideFrom)
    );
  };
  return {
    ...ledger,
    loadState: async (session) => ((await isSeen(session)) ? ledger.loadState(session) : null),
    entries: async (query) => ((await isSeen(query?.session)) ? ledger.entries(query) : []),
    context: async (query) => ((await isSeen(query?.session)) ? ledger.context(query) : []),
    sessions: async () => [],
    async *stream(since) {
      for await (const page of ledger.stream?.(since) ?? []) {
        const names = [...new Set(page.map(({ session }) => session))];
        const seen = await Promise.all(names.map(isSeen));
        const shown = new Set(names.filter((_, i) => seen[i]));
        yield page.filter(({ session }) => shown.has(session));
      }
    },
  };
}

/** What of a project's config can be used. */
const settingsIn = (config: object) =>
  toSettings(checkValue(configSchema(), config).sound as Config, { path: '' }, () => undefined);

function openIdFor(environment: OpenOrganisations['environment'], publicUrl: string | undefined) {
  const issuer = environment.UNRUT_OIDC_ISSUER?.trim();
  const client = environment.UNRUT_OIDC_CLIENT?.trim();
  if (!issuer) return undefined;
  if (!URL.canParse(issuer))
    throw wrong(
      'UNRUT_OIDC_ISSUER',
      'the address of a provider, such as https://login.example',
      issuer,
    );
  if (!client)
    throw wrong('UNRUT_OIDC_CLIENT', 'the id that the provider knows this server by', 'nothing');
  if (publicUrl === undefined)
    throw wrong(
      'UNRUT_OIDC_ISSUER',
      '--public-url beside it, where the provider sends people back to',
      'none',
    );
  const [secret, claim, groups] = [
    environment.UNRUT_OIDC_CLIENT_SECRET,
    environment.UNRUT_OIDC_CLAIM,
    environment.UNRUT_OIDC_GROUPS,
  ].map((each) => each?.trim() || undefined);
  return createOpenId({ issuer, client, secret, publicUrl, claim, groups });
}

const wrong = (name: string, expected: string, got: string): UnrutError =>
  new UnrutError('bad-option', `[serve] ${name}: expected ${expected}; got ${got}.`);
