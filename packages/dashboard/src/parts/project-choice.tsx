import type { JSX } from 'preact';
import { projectAsked } from '../api/in-project.ts';
import { me } from '../api/me.ts';
import { go, hrefHere, hrefOf, place } from '../router.tsx';
import { useStore } from '../store.ts';
import { Choice } from './choice.tsx';
import { nameText } from './words.ts';

/** Selects the project for all pages; hidden without a choice. */
export function ProjectChoice(): JSX.Element | null {
  const known = useStore(me);
  const { page } = useStore(place);
  const asked = projectAsked();
  if (known?.organisation == null) return null;
  const names = [...new Set([...known.projects.map(({ name }) => name), asked])].filter(Boolean);
  if (names.length < 2) return null;
  const choose = (project: string): void =>
    // The session that is shown may belong to another project.
    go(page === '/session' ? hrefOf('/', { project }) : hrefHere({ project, open: undefined }));
  return (
    <Choice
      label="Project"
      of={[['', 'all'], ...names.map((name): [string, string] => [name, nameText(name)])]}
      value={asked}
      onChoose={choose}
    />
  );
}
