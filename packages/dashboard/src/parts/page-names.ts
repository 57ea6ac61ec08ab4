import type { DashboardPage } from '@unrut/server/dashboard-pages';

/** What the pages are called, in the order in which they are offered. */
export const PAGE_NAMES: readonly [DashboardPage, string][] = [
  ['/', 'Now'],
  ['/recoveries', 'Recoveries'],
  ['/cost', 'Cost'],
];

/** Only if there are runs. */
export const TASKS: [DashboardPage, string] = ['/tasks', 'Tasks'];

/** Only on servers for organisations. */
export const ORGANISATION: [DashboardPage, string] = ['/organisation', 'Organisation'];

/** Next to the pages: what is looked for, with which thresholds. */
export const SETTINGS: [DashboardPage, string] = ['/detectors', 'Settings'];
