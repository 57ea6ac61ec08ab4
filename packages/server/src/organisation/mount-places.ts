import { keepIn } from '@unrut/engine/recent';
import { type Context, Hono } from 'hono';
import { pathsOfOrganisations } from '../openapi/paths.ts';
import type { LookPlace, OrganisationParts, ReportPlace } from './organisation-app.ts';

export interface PlacesToMount {
  parts: OrganisationParts;
  /** What the routes of a place answer where something goes wrong. */
  refusing: { onError: Parameters<Hono['onError']>[0]; notFound: Parameters<Hono['notFound']>[0] };
  /** The routes for what is reported to a place, and for what is looked at in it. */
  report(place: ReportPlace): Promise<Hono>;
  look(place: LookPlace): Promise<Hono>;
}

/** Places whose routes are kept, the least recently used out first. */
const MAX_PLACES = 1000;

/**
 * Mounts the routes of all places behind the paths of the document: each request comes to those of
 * its own, which know of no other.
 */
export function mountPlaces(app: Hono, { parts, refusing, report, look }: PlacesToMount): void {
  const opened = new Map<string, Promise<Hono>>();

  async function openPlace(open: () => Promise<Hono>): Promise<Hono> {
    const place = new Hono();
    place.onError(refusing.onError);
    place.notFound(refusing.notFound);
    return place.route('/', await open());
  }

  function placeOf(name: string, open: () => Promise<Hono>): Promise<Hono> {
    const place = opened.get(name) ?? openPlace(open);
    place.catch(() => opened.delete(name));
    return keepIn(opened, name, place, MAX_PLACES);
  }

  const answer = async (context: Context, place: Promise<Hono>): Promise<Response> =>
    (await place).fetch(context.req.raw, { ...context.env, outer: context });

  const reporting = async (context: Context): Promise<Response> => {
    const place = await parts.reportPlace(context);
    return answer(
      context,
      placeOf(`report ${JSON.stringify(place)}`, () => report(place)),
    );
  };

  const looking = async (context: Context): Promise<Response> => {
    const place = await parts.lookPlace(context);
    return answer(
      context,
      placeOf(`look ${JSON.stringify(place)}`, () => look(place)),
    );
  };

  for (const [path, { get, post }] of Object.entries(pathsOfOrganisations)) {
    const route = path.replace(/\{(\w+)\}/g, ':$1');
    const tag = (get ?? post)?.tags[0];
    if (tag === 'report') app.post(route, parts.limit, reporting);
    else if (tag === 'look' || tag === 'metrics') {
      if (path === '/v1/sessions/{id}' || path === '/v1/session')
        app.get(route, parts.tellOpened, looking);
      else app.get(route, looking);
    }
  }
}
