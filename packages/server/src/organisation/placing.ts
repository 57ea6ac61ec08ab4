import { keepIn } from '@unrut/engine/recent';
import { DEFAULT_PROJECT, type OrganisationStore, type Project } from '@unrut/ledger/organisation';
import type { Reported } from '../reporting.ts';

/** Returns the project numbers of reported items, in order. */
export type Placing = (reported: readonly Reported[]) => Promise<number[]>;

/** Max number of sessions whose projects are cached. */
const MAX_REMEMBERED = 10_000;

/**
 * Finds the project for reports of senders who may report to every project. If a project has the
 * repository, it wins. Otherwise a session stays in the project in which such a sender began it, so
 * an agent that changes its folder stays there. New sessions go to the project of their folder, or
 * to `default`.
 */
export function createPlacing(
  store: Pick<OrganisationStore, 'ruledSessions'>,
  projects: () => Promise<readonly Project[]>,
): Placing {
  const remembered = new Map<string, number>();
  const remember = (name: string, project: number): void =>
    void keepIn(remembered, name, project, MAX_REMEMBERED);

  async function recall(names: readonly string[]): Promise<void> {
    const unknown = [...new Set(names)].filter((name) => !remembered.has(name));
    if (unknown.length === 0) return;
    for (const [name, project] of await store.ruledSessions(unknown)) remember(name, project);
  }

  return async (reported) => {
    const all = await projects();
    const of = (setting: 'repo' | 'folder', value: string | undefined): number | undefined =>
      value ? all.find(({ settings }) => settings[setting] === value)?.project : undefined;
    const exists = (project: number | undefined): boolean =>
      all.some((each) => each.project === project);
    await recall(
      reported.flatMap(({ sessions, repo }) => (of('repo', repo) === undefined ? sessions : [])),
    );
    return reported.map(({ sessions, repo, folder }) => {
      // The parent session comes last; both belong to the same project.
      const begun = sessions.map((name) => remembered.get(name)).findLast(exists);
      const project = of('repo', repo) ?? begun ?? of('folder', folder) ?? DEFAULT_PROJECT;
      for (const name of sessions) remember(name, project);
      return project;
    });
  };
}
