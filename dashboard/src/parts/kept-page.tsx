import type { ComponentChildren, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';

/** A page or, where something in it cannot be shown, a line that says so: the other pages stay. */
export function KeptPage({ children }: { children: ComponentChildren }): JSX.Element {
  const [error] = useErrorBoundary((error) => console.error(error)) as [Error | undefined, () => void];
  if (error === undefined) return <>{children}</>;
  return (
    <p class="problem" role="alert">
      This page could not be shown ({error.message}). Load it again; if that does not help, it is a fault of Unrut.
    </p>
  );
}
