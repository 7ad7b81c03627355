// Stands between a port and its caller, so that a call can fail, come late, or never come back.

type Around = (verb: string, call: () => Promise<unknown>) => Promise<unknown>;

/** The same port, each of its asynchronous verbs passing through `around`; the others are left alone. */
export function around<T extends object>(port: T, pass: Around, others: readonly string[] = []): T {
  const untouched = new Set([
    'close',
    'leastMs',
    'heldMs',
    'lockJob',
    'readKey',
    'reread',
    ...others,
  ]);
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function' || typeof name !== 'string' || untouched.has(name)) {
        return member;
      }
      return (...args: unknown[]) =>
        pass(name, async () => (await Reflect.apply(member, target, args)) as unknown);
    },
  });
}

/** The same port with one verb that behaves otherwise at its n-th call. */
export function atCall<T extends object>(
  port: T,
  verb: keyof T & string,
  nth: number,
  instead: (call: () => Promise<unknown>) => Promise<unknown>,
): T {
  let count = 0;
  return around(port, (name, call) => {
    if (name === verb) count += 1;
    return name === verb && count === nth ? instead(call) : call();
  });
}
