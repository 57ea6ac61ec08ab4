import type { JSX } from 'preact';
import type { Me } from '../../api/me.ts';
import { Answered } from '../answered.tsx';
import { Table } from '../table.tsx';
import { When } from '../when.tsx';
import { AddForm, Failed, TextField } from './fields.tsx';
import { useList } from './use-list.ts';

interface ListedProject {
  name: string;
  settings: { repo?: string; folder?: string; visibility?: string; days?: number };
  created: number;
}

/** What a project's settings say, in a line. */
const ruleOf = ({ repo, folder }: ListedProject['settings']): string =>
  [repo && `repository ${repo}`, folder && `folder ${folder}`].filter(Boolean).join(' or ') || 'none';

export function ProjectList({ me }: { me: Me }): JSX.Element {
  const { answer, problem, act } = useList<{ projects: ListedProject[] }>('/v1/projects');
  return (
    <>
      <Answered answer={answer}>
        {({ projects }) => (
          <Table
            caption="Projects"
            none="There is no project that you may see. Ask an admin of your organisation."
            rows={projects}
            columns={[
              { head: 'Name', of: ({ name }) => name },
              { head: 'Takes sessions of', of: ({ settings }) => ruleOf(settings), meaning: 'Of senders whose key names no project.' },
              { head: 'Labels', of: ({ settings }) => (settings.visibility === 'own' ? 'own sessions only' : 'all sessions') },
              { head: 'Kept', of: ({ settings: { days } }) => (days === undefined ? 'as the server' : `${days} days`) },
              { head: 'Added', of: ({ created }) => <When at={created} /> },
            ]}
          />
        )}
      </Answered>
      {me.admin && (
        <AddForm
          name="Add project"
          add={({ name, repo }) => act('POST', '/v1/projects', { name, ...(repo ? { settings: { repo } } : {}) })}
        >
          <TextField name="name" label="Name" isNeeded />
          <TextField name="repo" label="Repository" />
        </AddForm>
      )}
      <Failed problem={problem} />
    </>
  );
}
