import { useEffect, useState } from 'preact/hooks';

/** A value that the page shows in several places. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls the listener after each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The value of a store, and with each change a new look at the component. */
export function useStore<T>(store: Store<T>): T {
  const [, look] = useState(0);
  useEffect(() => {
    const changed = (): void => look((count) => count + 1);
    changed();
    return store.subscribe(changed);
  }, [store]);
  return store.get();
}
