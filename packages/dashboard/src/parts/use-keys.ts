import { useEffect, useRef } from 'preact/hooks';

const TYPING = 'input, select, textarea, [contenteditable], [role=slider], dialog';

/**
 * Runs an action on a key press, except while the user types or holds a modifier. `Escape` works
 * everywhere outside dialogs.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = latest.current[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as Element;
      if (target.closest?.('dialog') || (event.key !== 'Escape' && target.closest?.(TYPING)))
        return;
      // A link or button that has the focus takes Enter itself.
      if (event.key === 'Enter' && target.closest?.('a, button, summary')) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
