import type { DashboardPage } from '@unrut/server/dashboard-pages';

/** The titles of pages, in the order of the navigation. */
export const PAGE_NAMES: readonly [DashboardPage, string][] = [
  ['/', 'Now'],
  ['/recoveries', 'Recoveries'],
  ['/cost', 'Cost'],
];

/** Only if there are runs. */
export const TASKS: [DashboardPage, string] = ['/tasks', 'Tasks'];

/** Only on servers for organisations. */
export const ORGANISATION: [DashboardPage, string] = ['/organisation', 'Organisation'];

/** The settings page, separate from the others: detectors and thresholds. */
export const SETTINGS: [DashboardPage, string] = ['/detectors', 'Settings'];
