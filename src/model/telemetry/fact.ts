// The values of an event, and the fields of its log line.

/** The log levels, from the least to the most lines: each level includes those before it. */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether the log has a line for each request at this level. */
export function logsRequests(level: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf('debug');
}

export type LogValue = string | number | boolean | readonly number[];

/** A field of a log line, made from a value. */
export interface LogField<T> {
  readonly about: string;
  readonly of: (value: T) => LogValue;
}
export type LogFields<T> = Readonly<Record<string, LogField<T>>>;

/** The log fields made from one value of an event; `key` is the name of the value in the event. */
export type Fact<T> = (key: string) => LogFields<T>;

/** A value that is logged as it is: `durationMs` as `duration_ms`. */
export function fact<T extends LogValue>(about: string): Fact<T> {
  return (key) => ({ [snakeCase(key)]: { about, of: (value) => value } });
}

/** A value that is not logged itself: the line has these fields, made from it. */
export function partly<T>(fields: LogFields<T>): Fact<T> {
  return () => fields;
}

/** Fields for the named members of an object, each logged as it is, with its meaning. */
export function members<T>(
  about: {
    readonly [K in keyof T as T[K] extends LogValue ? K : never]?: string;
  },
): LogFields<T> {
  const fields = Object.entries(about).map(([key, text]) => [
    snakeCase(key),
    { about: text, of: (value: T) => value[key as keyof T] },
  ]);
  return Object.fromEntries(fields) as LogFields<T>;
}

/** A value that only programs get. */
export function unlogged<T>(): Fact<T> {
  return partly({});
}

export const DURATION = partly<number>({
  duration_ms: { about: 'how long it took', of: Math.round },
});

/** Each fact takes a value of its own type. */
type Facts = Readonly<Record<string, Fact<never>>>;

/** A kind of event: its level, its meaning and its values. */
export interface EventSpec<F extends Facts = Facts> {
  readonly level: LogLevel;
  /** Whether values like these are trouble, which is logged at `warn`. */
  readonly isTrouble?: ((said: Readonly<Record<string, unknown>>) => boolean) | undefined;
  readonly about: string;
  readonly facts: F;
  /** The fields of its log line. Values that are not listed are not logged. */
  readonly fields: LogFields<Readonly<Record<string, unknown>>>;
}

export function event<F extends Facts>(
  level: LogLevel,
  about: string,
  facts: F,
  isTrouble?: EventSpec['isTrouble'],
): EventSpec<F> {
  const fields = Object.entries(facts).flatMap(([key, fieldsOf]) =>
    Object.entries(fieldsOf(key)).map(([name, field]) => [
      name,
      {
        about: field.about,
        of: (said: Readonly<Record<string, unknown>>) => field.of(said[key] as never),
      },
    ]),
  );
  return { level, isTrouble, about, facts, fields: Object.fromEntries(fields) };
}

/** The values of an event, besides its kind. */
export type Said<E extends EventSpec> = {
  readonly [Key in keyof E['facts']]: E['facts'][Key] extends Fact<infer T> ? T : never;
};

function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
