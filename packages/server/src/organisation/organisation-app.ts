import { timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import { present } from '@unrut/engine/json';
import { errorReason } from '@unrut/engine/redact/reason';
import { safeName } from '@unrut/engine/redact/safe-name';
import {
  DEFAULT_PROJECT,
  type Organisations,
  type Project,
  type ProjectSettings,
} from '@unrut/ledger/organisation';
import type { Hidden } from '@unrut/ledger/reports/sql/session-rows';
import type { Context, MiddlewareHandler } from 'hono';
import { actedIn } from '../act-route.ts';
import { tokenDigest } from '../keys.ts';
import type { Log } from '../log.ts';
import { problem, Refusal, refusalOf } from '../problem.ts';
import { eventsIn, lookUp, setCaller } from '../protect.ts';
import { remembered } from '../remembered.ts';
import { paramOf } from '../route/route.ts';
import { notYours } from './managing.ts';
import { type Member, mayIn, projectsFor, scopesAnywhere } from './member.ts';
import { createMembers, type Members } from './members.ts';
import type { OpenId } from './open-id.ts';
import { createQuotas, type QuotaOwner } from './quota.ts';
import { readForwarded } from './trusted-proxies.ts';

/** The place for a request's events: one project, or the projects that the rules choose. */
export interface ReportPlace {
  org: number;
  /** Default: `default`. */
  project?: number | undefined;
  /** The guard part of its settings. */
  config: ProjectSettings['config'];
  /** The sender may report to every project, so rules choose the project. */
  anywhere?: true;
  /** They have said so. */
  isRuled?: true;
}

/** The data that a request may read. */
export interface LookPlace {
  org: number;
  /** Undefined for the whole organisation. */
  projects: readonly number[] | undefined;
  /** The people whose names and labels are hidden. */
  hidden?: Hidden;
  /** Where the caller may act on sessions: in these projects, or everywhere. */
  acts: readonly number[] | 'everywhere';
}

export interface OrganisationOptions {
  organisations: Organisations;
  /** The organisation of the sign-ins and of the token. */
  org: number;
  /** Of all servers of the database. */
  secret: string;
  /** Reverse proxies that authenticate people. Default: none. */
  proxies?: BlockList;
  /** Signs people in. Default: no sign-in. */
  openId?: OpenId | undefined;
  /** The id of this server. */
  server: string;
}

export interface OrganisationParts {
  members: Members;
  memberOf(context: Context): Member;
  /** Finds out who asks. */
  identify: MiddlewareHandler;
  /** Rejects unknown callers, callers without a role, and cross-site requests. */
  check: MiddlewareHandler;
  /** Rejects requests beyond a quota. */
  limit: MiddlewareHandler;
  reportPlace(context: Context): Promise<ReportPlace>;
  lookPlace(context: Context): Promise<LookPlace>;
  /** Audits who opened whose session. */
  tellOpened: MiddlewareHandler;
  /** Audits exports of recorded data. */
  tellExported: MiddlewareHandler;
  /** Audits actions on sessions. */
  tellActed: MiddlewareHandler;
  close(): void;
}

const MEMBER = 'member';
const SAFE: readonly string[] = ['GET', 'HEAD'];
/** Milliseconds between heartbeats; without one for a minute, a server counts as gone. */
const BEAT = 20_000;
/**
 * Milliseconds for which a daily count is cached, and for which the same refusal is audited only
 * once.
 */
const MINUTE = 60_000;
const MAX_REMEMBERED = 10_000;

/** The middleware that a server with organisations adds to every request. */
export function createOrganisationParts(
  options: OrganisationOptions & { token?: string | undefined; isOpen: boolean; log: Log },
): OrganisationParts {
  const { organisations, proxies = new BlockList(), log } = options;
  const failed = (what: string) => (error: unknown) =>
    log({
      event: 'fault',
      level: 'error',
      code: 'organisation',
      detail: `${what}: ${errorReason(error)}`,
    });
  const tellOnce = remembered(MINUTE, MAX_REMEMBERED, async (text) => {
    const { org, ...deed } = JSON.parse(text) as {
      org: number;
      actor: string;
      action: string;
      target: string;
    };
    await organisations.of(org).audited(deed).catch(failed('A refusal could not be written down'));
  });
  const members = createMembers({
    ...options,
    refused: (key, why) =>
      void tellOnce(
        JSON.stringify({ org: key.org, actor: `key:${key.id}`, action: 'refused', target: why }),
      ),
  });
  const forwarded = readForwarded(proxies);
  let servers = 1;
  const beat = (): void => {
    organisations.serverSeen(options.server).then((count) => {
      servers = count;
    }, failed('Servers could not be counted'));
  };
  beat();
  const beating = setInterval(beat, BEAT).unref();
  const quotas = createQuotas(() => servers);
  const memberOf = (context: Context): Member => context.get(MEMBER);

  const identify: MiddlewareHandler = (context, next) =>
    forwarded(context, async () => {
      const member = await lookUp(context, () => members.of(context));
      context.set(MEMBER, member);
      if (!member && options.openId) context.header('x-unrut-sign-in', '/v1/sign-in');
      setCaller(
        context,
        member && { scopes: scopesAnywhere(member), person: member.person, actor: member.actor },
      );
      await next();
    });

  async function projectNamed(
    member: Member,
    name: string | undefined,
  ): Promise<Project | undefined> {
    if (name === undefined) return undefined;
    const found = await members.projectNamed(member.org, name);
    if (!found) throw notYours('viewer');
    return found;
  }

  async function ownersFor(context: Context): Promise<QuotaOwner[]> {
    const member = memberOf(context);
    const { org, project } = await reportPlace(context);
    const found = (await members.projects(org)).find((each) => each.project === project);
    return [
      { name: `org ${org}`, quota: (await members.organisation(org)).settings.quota },
      { name: `project ${org} ${project}`, quota: found?.settings.quota },
      { name: `key ${member.key?.id}`, quota: member.key?.quota },
    ];
  }

  async function reportPlace(context: Context): Promise<ReportPlace> {
    const member = memberOf(context);
    const asked = await projectNamed(member, context.req.query('project'));
    const allowed = projectsFor(member, 'ingest');
    if (asked && !mayIn(member, 'ingest', asked.project)) throw notYours('member');
    if (asked || allowed === undefined) return placeOf(member.org, asked?.project);
    if (allowed.length === 1) return placeOf(member.org, allowed[0]);
    if (allowed.length === 0) throw notYours('member');
    throw new Refusal(
      400,
      'bad-query',
      'Expected ?project= with one of your projects, got none. GET /v1/me lists them.',
    );
  }

  async function placeOf(org: number, project: number | undefined): Promise<ReportPlace> {
    const found = (await members.projects(org)).find(
      (each) => each.project === (project ?? DEFAULT_PROJECT),
    );
    return {
      org,
      ...(project === undefined ? { anywhere: true } : { project }),
      config: found?.settings.config,
    };
  }

  async function lookPlace(context: Context): Promise<LookPlace> {
    const member = memberOf(context);
    const asked = await projectNamed(member, context.req.query('project'));
    if (asked && !mayIn(member, 'read', asked.project)) throw notYours('viewer');
    const projects = asked ? [asked.project] : projectsFor(member, 'read');
    if (projects?.length === 0) throw notYours('viewer');
    const all = await members.projects(member.org);
    const hidden = all
      .filter(
        ({ project, settings }) =>
          settings.visibility === 'own' &&
          (projects?.includes(project) ?? true) &&
          !mayIn(member, 'admin', project),
      )
      .map(({ project }) => project);
    return {
      org: member.org,
      projects,
      acts: projectsFor(member, 'admin') ?? 'everywhere',
      ...(hidden.length > 0 ? { hidden: { from: member.person ?? '', projects: hidden } } : {}),
    };
  }

  return {
    members,
    memberOf,
    identify,
    reportPlace,
    lookPlace,
    async check(context, next) {
      const member = memberOf(context);
      if (!member) return next();
      const isWrite = !SAFE.includes(context.req.method);
      if (isWrite && member.csrf !== undefined && !isOwnPage(context, member.csrf))
        return problem(
          context,
          403,
          'wrong-page',
          "Expected a request from the server's own pages, with Sec-Fetch-Site: same-origin and the X-Unrut-Csrf of GET /v1/me.",
        );
      await next();
      const code = refusalOf(context)?.code;
      if (code === 'wrong-role' || code === 'wrong-scope' || code === 'wrong-page')
        await tellOnce(
          JSON.stringify({
            org: member.org,
            actor: member.actor,
            action: 'refused',
            target: `${context.req.method} ${routeIn(context)}`,
          }),
        );
      return undefined;
    },
    async limit(context, next) {
      const owners = await ownersFor(context);
      const over = quotas.take(owners, 1, Number(context.req.header('content-length') ?? 0));
      if (over) {
        // No agent waits for a quota of ours.
        if (context.req.path.startsWith('/v1/hooks/')) return context.json({});
        context.header('retry-after', String(over.wait));
        return problem(
          context,
          429,
          'over-quota',
          `The quota for ${over.of} is used up. Nothing was accepted; retry in ${over.wait} s.`,
        );
      }
      await next();
      quotas.charge(owners, Math.max(0, eventsIn(context) - 1));
      return undefined;
    },
    async tellOpened(context, next) {
      await next();
      if (context.res.status !== 200) return;
      const member = memberOf(context);
      const session = safeName(paramOf(context, 'id'));
      const store = organisations.of(member.org);
      const { projects } = await lookPlace(context);
      const place = (await store.sessionPlaces(session)).find(
        ({ project }) => projects?.includes(project) ?? true,
      );
      if (!place || place.person === undefined || place.person === member.person) return;
      await store
        .audited({
          actor: member.actor,
          action: 'session-opened',
          project: place.project,
          target: session,
          data: { of: place.person },
        })
        .catch(failed('An opened session could not be written down'));
    },
    async tellExported(context, next) {
      await next();
      if (context.res.status !== 200) return;
      const { org, actor } = memberOf(context);
      await organisations
        .of(org)
        .audited({ actor, action: 'exported', data: context.req.query() })
        .catch(failed('An export could not be written down'));
    },
    async tellActed(context, next) {
      await next();
      const acted = actedIn(context);
      if (!acted) return;
      const { org, actor } = memberOf(context);
      const { projects } = await lookPlace(context);
      await organisations
        .of(org)
        .audited({
          actor,
          ...present({ project: projects?.length === 1 ? projects[0] : undefined }),
          ...acted,
        })
        .catch(failed('What was done could not be written down'));
    },
    close: () => clearInterval(beating),
  };
}

const isOwnPage = (context: Context, csrf: string): boolean =>
  context.req.header('sec-fetch-site') === 'same-origin' &&
  timingSafeEqual(tokenDigest(context.req.header('x-unrut-csrf') ?? ''), tokenDigest(csrf));

/** Without names, which may contain secrets. */
const routeIn = (context: Context): string =>
  context.req.path.split('/').slice(0, 3).join('/').slice(0, 40);
