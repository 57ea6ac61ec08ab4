/**
 * The paths of the dashboard's pages. Further page state is in the query, so that links can be
 * shared.
 */
export const DASHBOARD_PAGES = [
  '/',
  '/session',
  '/recoveries',
  '/cost',
  '/tasks',
  '/detectors',
  '/organisation',
] as const;

export type DashboardPage = (typeof DASHBOARD_PAGES)[number];
