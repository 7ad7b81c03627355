// Takes the port of `sluice listen`, which has to listen there however long that takes: a run of the same state gives
// it up, and a process that stands still is waited for.
import { SluiceError } from '../../model/errors.js';
import { hostAndPort } from '../../model/text/address.js';
import type { Listener } from '../../webhook/open-listener.js';
import { answererAt, askForPort } from './instance-at.js';
import {
  instanceOf,
  isSameState,
  isTaken,
  listenAs,
  meets,
  otherProof,
  type ReceptionOptions,
} from './receive-deliveries.js';

export interface PortOptions extends ReceptionOptions {
  /** The state as it is shown to people. */
  readonly stateName: string;
  /** Called with a sentence if the port has to be waited for. */
  readonly onWait?: ((sentence: string) => void) | undefined;
}

const PAUSE_MS = 200;
/** The number of refusals before it gives up: the process that had the port may end between two attempts. */
const REFUSED_MAX = 5;
const GIVEN = 200;
const NOT_FOR_THIS = 409;
const NEVER = 404;

/**
 * @throws SluiceError `busy` if another listener of the state has it; `usage` if it cannot be taken for another reason
 */
export async function takePort(options: PortOptions): Promise<Listener> {
  const { clock, keyring, onWait, proof } = options;
  const instance = instanceOf(keyring, proof.webhooks);
  const told = new Set<string>();
  const tell = (sentence: string): void => {
    if (!told.has(sentence)) onWait?.(sentence);
    told.add(sentence);
  };
  const url = `http://${hostAndPort(options.address)}`;
  for (let refused = 0; ; ) {
    try {
      return await listenAs(instance, options);
    } catch (error) {
      if (!isTaken(error)) throw error;
      const holder = await answererAt(url);
      const isStranger =
        holder.kind === 'other' ||
        (holder.kind === 'listener' && !isSameState(holder.instance, instance));
      refused = holder.kind === 'silence' && !holder.isLate ? refused + 1 : 0;
      if (isStranger || refused > REFUSED_MAX) throw error;
      if (holder.kind === 'listener') await ask(url, holder, instance, options, tell);
      else if (holder.isLate) tell(`The process at ${url} does not answer. ${WAITING}`);
    }
    await clock.sleep(PAUSE_MS);
  }
}

const WAITING =
  'Its port is waited for, since it may be a run that stands still. If it is another program, choose another port with --listen.';

async function ask(
  url: string,
  there: { readonly instance: string },
  instance: string,
  { address: { port }, keyring, proof, stateName }: PortOptions,
  tell: (sentence: string) => void,
): Promise<void> {
  const key = keyring.seal({ kind: 'port', scope: keyring.scopeOf(''), id: port });
  const status = await askForPort(url, key, instance);
  if (status === GIVEN) tell(`A run of this state listens at ${url}, and gives the port up.`);
  if (status === NOT_FOR_THIS) throw otherProof(url);
  if (status !== NEVER) return;
  throw meets(there.instance, instance, proof) ? alreadyListening(url, stateName) : otherProof(url);
}

function alreadyListening(url: string, stateName: string): SluiceError {
  return new SluiceError(
    'busy',
    `Another process listens at ${url} for ${stateName} already. There is nothing to do.`,
    { url, state: stateName },
  );
}
