import { place } from '../router.tsx';
import { me } from './me.ts';

/** The project that the page's address names; empty for all of them. */
export const projectAsked = (): string => place.get().query.get('project') ?? '';

/**
 * A path of the API, asked of the project that the page's address names. Undefined until it is
 * known whether the server has projects.
 */
export function inProject(path: string, project: string = projectAsked()): string | undefined {
  if (project === '') return path;
  const known = me.get();
  if (known === null) return undefined;
  if (known.organisation === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}project=${encodeURIComponent(project)}`;
}
