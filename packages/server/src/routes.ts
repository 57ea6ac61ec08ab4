import { actRoute } from './act-route.ts';
import { readRoutes } from './api/read-routes.ts';
import { cuaRoutes } from './cua/cua-routes.ts';
import { incidentActRoute } from './incident-act-route.ts';
import { ingestRoutes } from './ingest-routes.ts';
import { operateRoutes, probeRoutes } from './operate-routes.ts';
import { ofProject } from './organisation/managing.ts';
import { organisationRoutes } from './organisation/organisation-routes.ts';
import { signInRoutes, signOutRoute } from './organisation/sign-in-routes.ts';
import { openApiDocument } from './route/open-api.ts';
import { inProject, type Route } from './route/route.ts';

const actRoutes = [actRoute, incidentActRoute];

/** The routes of a server, grouped by the context of their handlers. */
export const routesFor = (isForMany: boolean) => ({
  report: isForMany ? ingestRoutes.map((route) => inProject(route, ofProject)) : ingestRoutes,
  look: isForMany ? readRoutes.map((route) => inProject(route, ofProject)) : readRoutes,
  operate: operateRoutes,
  probe: probeRoutes,
  act: isForMany ? actRoutes.map((route) => inProject(route, ofProject)) : actRoutes,
  // Runs on the server's machine are not available with organisations.
  cua: isForMany ? [] : cuaRoutes,
  organisation: isForMany ? organisationRoutes : [],
  signIn: isForMany ? signInRoutes : [],
  signOut: isForMany ? [signOutRoute] : [],
});

export type Routes = ReturnType<typeof routesFor>;

/** All routes of a server as one list. */
export const allRoutes = (routes: Routes): readonly Route[] => Object.values(routes).flat();

/** The OpenAPI document of a single-user server, or of one with organisations. */
export const documentOf = (version: string, isForMany = false) =>
  openApiDocument(allRoutes(routesFor(isForMany)), version, isForMany);
