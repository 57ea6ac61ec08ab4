import type { MeAnswer } from '@unrut/server/api/answers';
import type { FunctionComponent, JSX } from 'preact';
import { change, me } from '../api/me.ts';
import { AuditList } from '../parts/organisation/audit-list.tsx';
import { KeyList } from '../parts/organisation/key-list.tsx';
import { PeopleList } from '../parts/organisation/people-list.tsx';
import { ProjectList } from '../parts/organisation/project-list.tsx';
import { useTitle } from '../parts/use-title.ts';
import { hrefOf, Link } from '../router.tsx';
import { useStore } from '../store.ts';

/** The parts of the page, and their audience. */
const PARTS: readonly {
  name: string;
  title: string;
  isForAdmins: boolean;
  Part: FunctionComponent<{ me: MeAnswer }>;
}[] = [
  { name: 'projects', title: 'Projects', isForAdmins: false, Part: ProjectList },
  { name: 'keys', title: 'Keys', isForAdmins: true, Part: KeyList },
  { name: 'people', title: 'People', isForAdmins: true, Part: PeopleList },
  { name: 'audit', title: 'Audit', isForAdmins: true, Part: AuditList },
];

/**
 * Projects, keys, people and the audit. Users who are not admins see the projects, without buttons.
 */
export function OrganisationPage({ query }: { query: URLSearchParams }): JSX.Element {
  useTitle('Organisation');
  const known = useStore(me);
  if (known?.organisation == null)
    return (
      <>
        <h1>Organisation</h1>
        <p class="note">
          {known === null
            ? 'Loading…'
            : 'This server is for one person: there are no projects, keys or people to show.'}
        </p>
      </>
    );
  const isAdmin = known.admin || known.projects.some(({ scopes }) => scopes.includes('admin'));
  const parts = PARTS.filter(({ isForAdmins }) => isAdmin || !isForAdmins);
  const { name, Part } = parts.find((part) => part.name === query.get('show')) ?? parts[0]!;
  return (
    <>
      <h1>{known.organisation}</h1>
      <p class="lead">
        {known.person === undefined ? 'You use a key' : `You are ${known.person}`}
        {known.admin ? ', and may do everything here.' : '.'}{' '}
        {known.signedIn && (
          <button type="button" class="small" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </p>
      <nav class="tools" aria-label="Parts of the organisation">
        {parts.map((part) => (
          <Link
            key={part.name}
            href={hrefOf('/organisation', { show: part.name })}
            aria-current={part.name === name ? 'page' : undefined}
            class={part.name === name ? 'current-tab' : undefined}
          >
            {part.title}
          </Link>
        ))}
      </nav>
      <Part me={known} />
    </>
  );
}

async function signOut(): Promise<void> {
  await change('POST', '/v1/sign-out').catch(() => undefined);
  location.reload();
}
