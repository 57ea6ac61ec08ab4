import type { KeysAnswer, MeAnswer, ShownKey } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Choice } from '../choice.tsx';
import { Command } from '../copy.tsx';
import { When } from '../when.tsx';
import { Listed, useList } from './changeable-list.tsx';
import { AddForm, administered, TextField } from './fields.tsx';

const SCOPES = [
  ['ingest', 'reporting'],
  ['read', 'looking'],
  ['ingest,read', 'reporting and looking'],
  ['admin', 'everything'],
] as const;

export function KeyList({ me }: { me: MeAnswer }): JSX.Element {
  const list = useList<KeysAnswer>('/v1/keys');
  const [added, setAdded] = useState('');
  const add = async ({
    name,
    scopes = '',
    project,
    person,
  }: Readonly<Record<string, string>>): Promise<unknown> => {
    const about = {
      name,
      scopes: scopes.split(','),
      ...(project ? { project } : {}),
      ...(person ? { person } : {}),
    };
    const result = await list.act<{ key: string }>('POST', '/v1/keys', about);
    if (result) setAdded(result.key);
    return result;
  };
  return (
    <Listed
      list={list}
      caption="Keys"
      none="There are no keys yet."
      rows={({ keys }) => keys}
      columns={[
        { head: 'Id', of: ({ id }) => <code>{id}</code> },
        { head: 'Name', of: ({ name }) => name },
        { head: 'For', of: ({ scopes }) => scopes.join(', ') },
        { head: 'Project', of: ({ project }) => project ?? 'all projects' },
        { head: 'Person', of: ({ person }) => person ?? '' },
        {
          head: 'Last used',
          of: ({ lastUsed }) => (lastUsed === undefined ? 'never' : <When at={lastUsed} />),
        },
        {
          head: 'State',
          of: (key) => (
            <KeyState {...key} revoke={() => void list.act('DELETE', `/v1/keys/${key.id}`)} />
          ),
        },
      ]}
    >
      <AddForm name="Add key" add={add}>
        <TextField name="name" label="Name" isNeeded />
        <Choice name="scopes" label="For" of={SCOPES} />
        <Choice name="project" label="In" of={administered(me)} />
        <TextField name="person" label="Person" />
      </AddForm>
      {added !== '' && (
        <section aria-live="polite">
          <p>This is the new key. It is shown only now.</p>
          <Command text={added} />
        </section>
      )}
    </Listed>
  );
}

function KeyState({ id, revoked, expires, revoke }: ShownKey & { revoke(): void }): JSX.Element {
  if (revoked !== undefined)
    return (
      <>
        revoked <When at={revoked} />
      </>
    );
  if (expires !== undefined && expires <= Date.now()) return <>expired</>;
  return (
    <button type="button" class="small" onClick={revoke}>
      Revoke<span class="unseen"> key {id}</span>
    </button>
  );
}
