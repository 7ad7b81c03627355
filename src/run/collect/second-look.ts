// The wait before an empty success is read again: the values follow soon or never. It is a file of its own so that the
// processes that tests perform commands in can shorten it (test/helpers/command-host.mjs).
export const secondLook = { waitMs: 2_000 };
