import type { AuditAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Answered } from '../answered.tsx';
import { Table } from '../table.tsx';
import { When } from '../when.tsx';
import { useList } from './changeable-list.tsx';

/** A name as people gave it, with its id to be distinguished from others. */
const Named = ({ name, id = '' }: { name?: string | undefined; id?: string | undefined }) => (
  <span title={name ? id : undefined}>{name || id}</span>
);

/** The audit, newest first, page by page. */
export function AuditList(): JSX.Element {
  const [cursor, setCursor] = useState('');
  const { answer } = useList<AuditAnswer>(
    `/v1/audit?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`,
  );
  return (
    <Answered answer={answer}>
      {({ audit, next }) => (
        <>
          <Table
            caption="What was done"
            none="Nothing was done yet."
            rows={audit}
            columns={[
              { head: 'When', of: ({ at }) => <When at={at} /> },
              {
                head: 'Who',
                of: ({ actor, key }) => <Named name={key && `key ${key}`} id={actor} />,
              },
              { head: 'What', of: ({ action }) => action.replaceAll('-', ' ') },
              {
                head: 'To what',
                of: ({ target, targetKey }) => <Named name={targetKey} id={target} />,
              },
              { head: 'Project', of: ({ project }) => project ?? '' },
            ]}
          />
          <p class="tools">
            {cursor !== '' && (
              <button type="button" class="small" onClick={() => setCursor('')}>
                Newest
              </button>
            )}
            {next !== undefined && (
              <button type="button" class="small" onClick={() => setCursor(next)}>
                Older
              </button>
            )}
          </p>
        </>
      )}
    </Answered>
  );
}
