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

/** The routes of a server, by what their handlers work with. */
export const routesFor = (isForMany: boolean) => ({
  report: isForMany ? ingestRoutes.map((route) => inProject(route, ofProject)) : ingestRoutes,
  look: isForMany ? readRoutes.map((route) => inProject(route, ofProject)) : readRoutes,
  operate: operateRoutes,
  probe: probeRoutes,
  act: isForMany ? actRoutes.map((route) => inProject(route, ofProject)) : actRoutes,
  // What is done on the server's own machine is not for many.
  cua: isForMany ? [] : cuaRoutes,
  organisation: isForMany ? organisationRoutes : [],
  signIn: isForMany ? signInRoutes : [],
  signOut: isForMany ? [signOutRoute] : [],
});

export type Routes = ReturnType<typeof routesFor>;

/** All routes of a server, whatever their handlers work with. */
export const allRoutes = (routes: Routes): readonly Route[] => Object.values(routes).flat();

/** The OpenAPI document of a server for one person, or for organisations. */
export const documentOf = (version: string, isForMany = false) =>
  openApiDocument(allRoutes(routesFor(isForMany)), version, isForMany);
