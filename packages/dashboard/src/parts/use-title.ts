import { useEffect } from 'preact/hooks';

/** Names the tab and the entry in the history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Unrut`;
  }, [title]);
}
