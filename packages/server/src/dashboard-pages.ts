/**
 * The paths of the dashboard's pages. What a page shows beyond that stands in the query, so that a
 * link can be shared.
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
