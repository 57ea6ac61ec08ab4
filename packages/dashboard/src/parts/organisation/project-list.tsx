import type { MeAnswer, ProjectsAnswer, ShownProject } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { nameInPath } from '../../api/name-in-path.ts';
import { When } from '../when.tsx';
import { Listed, useList } from './changeable-list.tsx';
import { AddForm, TextField } from './fields.tsx';

/** A project's settings in a line. */
const ruleOf = ({ repo, folder }: ShownProject['settings']): string =>
  [repo && `repository ${repo}`, folder && `folder ${folder}`].filter(Boolean).join(' or ') ||
  'none';

export function ProjectList({ me }: { me: MeAnswer }): JSX.Element {
  const list = useList<ProjectsAnswer>('/v1/projects');
  const remove = (name: string): void => {
    if (
      confirm(
        `Delete the project ${name} with its sessions, keys and roles? This cannot be undone.`,
      )
    )
      void list.act('DELETE', `/v1/projects/${nameInPath(name)}`);
  };
  return (
    <Listed
      list={list}
      caption="Projects"
      none="There is no project that you may see. Ask an admin of your organisation."
      rows={({ projects }) => projects}
      columns={[
        { head: 'Name', of: ({ name }) => name },
        {
          head: 'Takes sessions of',
          of: ({ settings }) => ruleOf(settings),
          meaning: 'Of senders whose key names no project.',
        },
        {
          head: 'Labels',
          of: ({ settings }) =>
            settings.visibility === 'own' ? 'own sessions only' : 'all sessions',
        },
        {
          head: 'Kept',
          of: ({ settings: { days } }) => (days === undefined ? 'as the server' : `${days} days`),
        },
        { head: 'Added', of: ({ created }) => <When at={created} /> },
        ...(me.admin
          ? [
              {
                head: 'Delete',
                of: ({ name }: ShownProject) =>
                  name !== 'default' && (
                    <button type="button" class="small" onClick={() => remove(name)}>
                      Delete<span class="unseen"> {name}</span>
                    </button>
                  ),
              },
            ]
          : []),
      ]}
    >
      {me.admin && (
        <AddForm
          name="Add project"
          add={({ name, repo }) =>
            list.act('POST', '/v1/projects', { name, ...(repo ? { settings: { repo } } : {}) })
          }
        >
          <TextField name="name" label="Name" isNeeded />
          <TextField name="repo" label="Repository" />
        </AddForm>
      )}
    </Listed>
  );
}
