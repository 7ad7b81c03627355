// What of a callback URL an error text must not repeat. Whoever knows it can deliver results to us, so
// it is as secret as a password; and a platform may quote it whole, or only its path.

/** A shorter part is a harmless word such as `hooks`, and no key. */
const PART_LENGTH_MIN = 8;

/** The URL itself, and every part of it that may be a correlation key. */
export function callbackWords(url: string | undefined): string[] {
  if (url === undefined) return [];
  return [url, ...url.split(/[/?&=#]+/).filter((part) => part.length >= PART_LENGTH_MIN)];
}
