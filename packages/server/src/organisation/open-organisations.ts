import { randomUUID } from 'node:crypto';
import { BlockList } from 'node:net';
import type { HookSettings } from '@unrut/agents/hook/answer-hook';
import { UnrutError } from '@unrut/engine/errors';
import { present } from '@unrut/engine/json';
import { keepIn } from '@unrut/engine/recent';
import { checkValue } from '@unrut/engine/schema/problems';
import type { Config } from '@unrut/ledger/config/config';
import type { LoadedSettings } from '@unrut/ledger/config/load-settings';
import { configSchema } from '@unrut/ledger/config/schema';
import { toSettings } from '@unrut/ledger/config/to-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import {
  DEFAULT_PROJECT,
  type OrganisationStore,
  type SessionPlace,
} from '@unrut/ledger/organisation';
import type { SessionRow } from '@unrut/ledger/reports/reports';
import { isNamed } from '@unrut/ledger/reports/sql/session-rows';
import type { Postgres } from '@unrut/postgres/open-postgres';
import { createOrganisations } from '@unrut/postgres/organisation/organisations';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import type { Acting } from '../api/look-routes.ts';
import { openReading } from '../api/reading.ts';
import type { AppOptions } from '../create-app.ts';
import { type PeopleSaid, sharedSaid } from '../people-said.ts';
import { findIn, remembered } from '../remembered.ts';
import { createOpenId } from './open-id.ts';
import type { LookPlace, ReportPlace } from './organisation-app.ts';
import { createPlacing } from './placing.ts';
import { type SessionQuota, withSessionQuota } from './session-quota.ts';
import { readProxies } from './trusted-proxies.ts';

export interface OpenOrganisations {
  postgres: Postgres;
  environment: Readonly<Record<string, string | undefined>>;
  /** The public URL; sign-in works only there. */
  publicUrl?: string | undefined;
  /** This server's settings, for everything that a project does not set. */
  settings: () => LoadedSettings;
}

const MIN_SECRET_LENGTH = 32;
/** Milliseconds for which projects' rules are cached. */
const REMEMBERED = 5000;
/** Max number of projects whose instructions are cached. */
const MAX_SAIDS = 1000;

/** Creates everything a server with organisations needs. Throws if a variable is invalid. */
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

  const saids = new Map<string, PeopleSaid>();
  function saidOf(org: number, project: number): PeopleSaid {
    const place = `${org} ${project}`;
    const said = saids.get(place) ?? sharedSaid(postgres.said({ org, project }));
    return keepIn(saids, place, said, MAX_SAIDS);
  }

  const organisationOf = remembered(REMEMBERED, 1000, (number) =>
    organisations.of(Number(number)).organisation(),
  );

  async function sessionQuotas(of: number, project: number | undefined): Promise<SessionQuota[]> {
    const { settings: own } = await organisationOf(String(of));
    const found =
      project === undefined
        ? undefined
        : await findIn(projectsOf, String(of), (each) => each.project === project);
    return [
      { of: 'this organisation', most: own.quota?.sessions, project: undefined },
      { of: `the project ${found?.name}`, most: found?.settings.quota?.sessions, project },
    ].flatMap(({ most, ...quota }) => (most === undefined ? [] : [{ ...quota, most }]));
  }

  async function placesOf(of: number, placed: Promise<number[]>): Promise<ReportPlace[]> {
    const projects = await projectsOf(String(of));
    return (await placed).map((project) => ({
      org: of,
      project,
      config: projects.find((each) => each.project === project)?.settings.config,
      isRuled: true,
    }));
  }

  return {
    organisations,
    org,
    secret,
    proxies,
    server: randomUUID(),
    ...(openId ? { openId } : {}),
    async report({ org, project = DEFAULT_PROJECT, config, anywhere, isRuled }: ReportPlace) {
      const store = organisations.of(org);
      const key = await store.fingerprintKey(secret);
      const own = config === undefined ? settings().settings : settingsIn(config);
      const placing = anywhere && createPlacing(store, () => projectsOf(String(org)));
      return {
        ledger: withSessionQuota(
          postgres.ledger({ org, project, ...present({ isRuled }) }),
          store,
          () => sessionQuotas(org, project),
        ),
        settingsIn: (): HookSettings => ({ ...own, guard: { ...own.guard, key } }),
        said: saidOf(org, project),
        ...(placing ? { placing: (reported) => placesOf(org, placing(reported)) } : {}),
      };
    },
    async look(place: LookPlace) {
      const { org, projects, hidden } = place;
      let named = await projectsOf(String(org));
      /** Uses cached names, so that lists need not wait for them. */
      const projectName = (number: number): string | undefined => {
        projectsOf(String(org)).then(
          (found) => {
            named = found;
          },
          () => undefined,
        );
        return named.find(({ project }) => project === number)?.name;
      };
      const reports = createPostgresReports({
        connections: postgres.reads,
        org,
        projectName,
        ...present({ projects, hidden }),
      });
      const ledger = withinPlace(postgres, organisations.of(org), place);
      /** Only in projects where the caller may act. */
      const actingOn = async ({
        project: name,
      }: Pick<SessionRow, 'project'>): Promise<Acting | undefined> => {
        const project = named.find((each) => each.name === name)?.project;
        if (project === undefined) return undefined;
        if (place.acts !== 'everywhere' && !place.acts.includes(project)) return undefined;
        const said = saidOf(org, project);
        await said.refresh();
        return { said, ledger: postgres.ledger({ org, project }) };
      };
      return { reading: openReading({ ...ledger, reports }), settings, actingOn };
    },
  };
}

/**
 * Limits a session's states and context to viewers of the session; all other data comes from
 * reports. States of a run are named after the run.
 */
function withinPlace(
  postgres: Postgres,
  store: OrganisationStore,
  { org, projects, hidden }: LookPlace,
): Ledger {
  const isShown = (place: SessionPlace): boolean =>
    (projects?.includes(place.project) ?? true) && isNamed(place, hidden);
  /** The ledger of the project with the newest session of that name. */
  const ledgerOf = async (name = ''): Promise<Ledger | undefined> => {
    const places = await store.sessionPlaces(name.split('\u0001', 1)[0]!);
    const place = places.find(isShown);
    return place && postgres.ledger({ org, project: place.project });
  };
  const numbers = async (): Promise<readonly number[]> =>
    projects ?? (await store.projects()).map(({ project }) => project);
  return {
    ...postgres.ledger({ org }),
    loadState: async (session) => (await ledgerOf(session))?.loadState(session) ?? null,
    entries: async (query) => (await ledgerOf(query?.session))?.entries(query) ?? [],
    context: async (query) => (await ledgerOf(query?.session))?.context(query) ?? [],
    sessions: async () => [],
    async *stream(since) {
      for (const project of await numbers())
        for await (const page of postgres.ledger({ org, project }).stream!(since)) {
          if (!hidden?.projects.includes(project)) yield page;
          else {
            const names = [...new Set(page.map(({ session }) => session))];
            const places = await Promise.all(names.map((name) => store.sessionPlaces(name)));
            const seen = new Set(
              names.filter((_, i) =>
                places[i]!.some((place) => place.project === project && isShown(place)),
              ),
            );
            yield page.filter(({ session }) => seen.has(session));
          }
        }
    },
  };
}

/** The valid parts of a project's config. */
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
