import type { MeAnswer, PeopleAnswer, ShownPerson } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { Choice } from '../choice.tsx';
import { When } from '../when.tsx';
import { Listed, useList } from './changeable-list.tsx';
import { AddForm, administered, TextField } from './fields.tsx';

const ROLES = [
  ['viewer', 'viewer'],
  ['member', 'member'],
  ['admin', 'admin'],
  ['', 'no role'],
] as const;

export function PeopleList({ me }: { me: MeAnswer }): JSX.Element {
  const list = useList<PeopleAnswer>('/v1/people');
  const forget = (person: string): void => {
    if (
      confirm(
        `Delete everything of ${person}: sessions, roles and sign-ins? This cannot be undone.`,
      )
    )
      void list.act('DELETE', `/v1/people/${encodeURIComponent(person)}`);
  };
  return (
    <Listed
      list={list}
      caption="People"
      none="Nobody has signed in or been given a role yet."
      rows={({ people }) => people}
      columns={[
        { head: 'Person', of: ({ person }) => person },
        { head: 'Name', of: ({ name }) => name ?? '' },
        {
          head: 'Roles',
          of: ({ roles }) =>
            roles.map(({ role, project = 'all projects' }) => `${role} in ${project}`).join(', '),
        },
        {
          head: 'Last sign-in',
          of: ({ seen }) => (seen === undefined ? 'never' : <When at={seen} />),
        },
        ...(me.admin
          ? [
              {
                head: 'Forget',
                of: ({ person }: ShownPerson) => (
                  <button type="button" class="small" onClick={() => forget(person)}>
                    Forget<span class="unseen"> {person}</span>
                  </button>
                ),
              },
            ]
          : []),
      ]}
    >
      <p class="note">Groups of the sign-in provider give roles too; they are not listed here.</p>
      <AddForm
        name="Set role"
        add={({ person, role, project }) =>
          list.act('POST', '/v1/people', {
            person,
            role: role || null,
            ...(project ? { project } : {}),
          })
        }
      >
        <TextField name="person" label="Person" isNeeded />
        <Choice name="role" label="Role" of={ROLES} />
        <Choice name="project" label="In" of={administered(me)} />
      </AddForm>
    </Listed>
  );
}
