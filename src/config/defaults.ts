// Defaults that also commands without a job go by. Apart from the keys of a job: such a command loads no schema.

export const DEFAULTS = {
  concurrency: 20,
  deadline: '2h',
  freshFor: '30d',
  listen: '127.0.0.1:8640',
  state: 'data/sluice.db',
} as const;
