// Text of others in a regular expression, each character standing for itself.

/** Legal with the flag `u`, which allows an escape nowhere but before these. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
