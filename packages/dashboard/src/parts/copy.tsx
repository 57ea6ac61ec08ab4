import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface CopyProps {
  /** Creates the text to copy. */
  text: () => string;
  /** What the button says. */
  name: string;
  /** Said next to it for screen readers. */
  of?: string;
}

/** Copies a text, and says so for a moment. */
export function Copy({ text, name, of }: CopyProps): JSX.Element {
  const [state, setState] = useState<'' | 'Copied' | 'Cannot copy'>('');
  const copy = async (): Promise<void> => {
    setState((await copied(text())) ? 'Copied' : 'Cannot copy');
    setTimeout(() => setState(''), 2000);
  };
  return (
    <button type="button" class="small" onClick={() => void copy()}>
      {state || name}
      {of !== undefined && <span class="unseen"> {of}</span>}
    </button>
  );
}

/**
 * Browsers give a page its clipboard only over TLS or on this machine; elsewhere a selection is
 * copied.
 */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement('textarea');
    box.value = text;
    document.body.append(box);
    box.select();
    const isDone = document.execCommand('copy');
    box.remove();
    return isDone;
  }
}

/** A command with a button that copies it. */
export const Command = ({ text }: { text: string }): JSX.Element => (
  <div class="command">
    <pre>
      <code>{text}</code>
    </pre>
    <Copy text={() => text} name="Copy" of="the command" />
  </div>
);
