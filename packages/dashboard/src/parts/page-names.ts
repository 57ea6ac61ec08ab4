import type { DashboardPage } from '@unrut/server/dashboard-pages';

/** What the pages are called, in the order in which they are offered. */
export const PAGE_NAMES: readonly [DashboardPage, string][] = [
  ['/', 'Now'],
  ['/recoveries', 'Recoveries'],
  ['/cost', 'Cost'],
  ['/tasks', 'Tasks'],
  ['/detectors', 'Detectors'],
];

/** Only on servers for organisations. */
export const ORGANISATION: [DashboardPage, string] = ['/organisation', 'Organisation'];
