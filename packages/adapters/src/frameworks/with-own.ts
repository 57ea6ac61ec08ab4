/** Maps each object of a kind once; other values stay unchanged. */
export function oncePerObject<T extends object>(
  isOne: (value: unknown) => value is T,
  make: (value: T) => T,
): (value: unknown) => unknown {
  const made = new WeakMap<T, T>();
  return (value) => {
    if (!isOne(value)) return value;
    if (!made.has(value)) made.set(value, make(value));
    return made.get(value);
  };
}

/** An object with some methods in the place of its own. The others may use private fields. */
export function withOwn<T extends object>(object: T, own: Record<PropertyKey, unknown>): T {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
