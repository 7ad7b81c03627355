// Asks whatever listens at an address whether it is a listener of ours, and which.
import { request } from 'undici';
import { z } from 'zod';

const TIMEOUT_MS = 2_000;
const HEALTH = z.object({ instance: z.string() });

/** What `/healthz` tells there; undefined for anything that is no listener of ours. */
export async function instanceAt(url: string): Promise<string | undefined> {
  try {
    const { body } = await request(`${url}/healthz`, {
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    return HEALTH.parse(await body.json()).instance;
  } catch {
    // Silence, another protocol, another program: the caller says that the port is taken.
    return undefined;
  }
}
