// The reception of a worker's run. It never listens itself, because its port would be taken from the listener that has
// to be there between runs: `sluice listen` receives, at the job's `public-url`, or on this machine.
import { SluiceError } from '../../model/errors.js';
import { hostAndPort } from '../../model/text/address.js';
import { answererAt } from './instance-at.js';
import {
  instanceOf,
  isSameState,
  meets,
  otherProof,
  type Reception,
  type ReceptionOptions,
} from './receive-deliveries.js';

/**
 * Finds the address. A platform on this machine delivers to this machine's listener, which is looked for.
 * @throws SluiceError `usage` if another program is there, or a listener with another secret
 */
export async function receivedElsewhere(
  publicUrl: string | undefined,
  { address, keyring, observe, proof }: ReceptionOptions,
): Promise<Reception> {
  const url = `http://${hostAndPort(address)}`;
  const reception = { url, close: () => Promise.resolve() };
  if (publicUrl !== undefined) return reception;
  const instance = instanceOf(keyring, proof.webhooks);
  const there = await answererAt(url);
  if (there.kind === 'silence') {
    const message = `No listener answers at ${url}, where the results of this run are delivered, and a worker does not listen: start "sluice listen --listen ${hostAndPort(address)}" on this machine.`;
    observe({ kind: 'run.warned', warning: 'no_deliveries', message });
    return reception;
  }
  if (there.kind === 'other' || !isSameState(there.instance, instance)) throw isStrange(url);
  if (!meets(there.instance, instance, proof)) throw otherProof(url);
  observe({ kind: 'listener.opened', port: address.port, isShared: true });
  return reception;
}

function isStrange(url: string): SluiceError {
  return new SluiceError(
    'usage',
    `Another program answers at ${url}, where the results of this run are delivered: start "sluice listen" with this state there, or give the job another address with listen.`,
    { url, key: 'listen' },
  );
}
