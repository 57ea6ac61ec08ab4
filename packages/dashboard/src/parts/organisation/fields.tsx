import type { MeAnswer } from '@unrut/server/api/answers';
import type { JSX } from 'preact';

/** The texts in a form's fields. */
export type Filled = Readonly<Record<string, string>>;

interface AddFormProps {
  /** What the button says. */
  name: string;
  children: JSX.Element | JSX.Element[];
  add(filled: Filled): Promise<unknown>;
}

/** Fields in a row with a button; cleared after success. */
export function AddForm({ name, children, add }: AddFormProps): JSX.Element {
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const filled = Object.fromEntries(
      [...new FormData(form)].map(([field, value]) => [field, String(value).trim()]),
    );
    if ((await add(filled)) !== undefined) form.reset();
  };
  return (
    <form class="tools" onSubmit={(event) => void submit(event)}>
      {children}
      <button type="submit" class="small">
        {name}
      </button>
    </form>
  );
}

interface TextFieldProps {
  name: string;
  label: string;
  isNeeded?: boolean;
}

export const TextField = ({ name, label, isNeeded = false }: TextFieldProps): JSX.Element => (
  <label>
    {label} <input name={name} maxLength={100} required={isNeeded} />
  </label>
);

/** The projects of which the user is an admin, including the organisation itself. */
export const administered = ({ admin, projects }: MeAnswer): [value: string, words: string][] => [
  ...(admin ? [['', 'all projects'] as [string, string]] : []),
  ...projects
    .filter(({ scopes }) => scopes.includes('admin'))
    .map(({ name }): [string, string] => [name, name]),
];
