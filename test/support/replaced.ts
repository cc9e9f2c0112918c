/** A port with some methods replaced; the others stay those of the port. */
export function replaced<T extends object>(port: T, methods: Partial<T>): T {
  return new Proxy(port, {
    get: (target, name): unknown => {
      const own: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name, target);
      return typeof own === 'function' ? (own.bind(target) as unknown) : own;
    },
  });
}
