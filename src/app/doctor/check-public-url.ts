// If no listener runs, one is started for the check; then its `/healthz` is requested at the public address.
import { createKeyring } from '../../identity/keyring.js';
import { hostAndPort } from '../../model/text/address.js';
import { whileOpen } from '../../model/while-open.js';
import { readBody } from '../../platform/wire/read-body.js';
import { openListener } from '../../webhook/open-listener.js';
import type { ProofTerms } from '../../webhook/proof.js';
import { type Answerer, answererAt } from '../listen/instance-at.js';
import { refuseNoSecret, refuseUnreachable } from '../listen/open-callbacks.js';
import { instanceOf, isSameState, proofTerms } from '../listen/receive-deliveries.js';
import type { JobSettings } from '../settings/job-settings.js';
import { type CheckContext, signingKeyOf } from './check-context.js';
import { withoutJob } from './check-job.js';
import { type Finding, fail, ok, skipped } from './finding.js';

const PATIENCE_MS = 5_000;

export async function checkPublicUrl(context: CheckContext): Promise<Finding> {
  const { settings, dialect, environment } = context;
  if (settings === undefined) return withoutJob(context);
  if (settings.collect === 'poll')
    return skipped('The job fetches its results, and nothing is delivered.');
  const secret = environment.webhookSecret();
  refuseUnreachable(settings);
  refuseNoSecret(settings, secret);
  if (dialect === undefined) return skipped('The dialect cannot be read.');
  const proof = proofTerms(dialect, environment, secret);
  return whileOpen(await openOwn(context, settings, proof), async (listener) => {
    const { publicUrl } = settings;
    if (publicUrl === undefined) {
      return ok(`The platform is on this machine, and reaches the listener at ${listener.url}.`);
    }
    return judge(publicUrl, listener, await answererAt(publicUrl, PATIENCE_MS));
  });
}

interface OwnListener {
  readonly url: string;
  readonly instance: string;
  close(): Promise<void>;
}

/**
 * A temporary one keeps nothing, and refuses deliveries, so that the platform repeats them.
 * @throws SluiceError `usage` if another program has the port
 */
async function openOwn(
  context: CheckContext,
  { listen }: JobSettings,
  proof: ProofTerms,
): Promise<OwnListener> {
  const keyring = createKeyring(await signingKeyOf(context), proof.secret);
  const instance = instanceOf(keyring, proof.webhooks);
  const url = `http://${hostAndPort(listen)}`;
  const there = listen.port === 0 ? undefined : await answererAt(url);
  // The run checks which secret it was started with.
  if (there?.kind === 'listener' && isSameState(there.instance, instance)) {
    return { url, instance: there.instance, close: () => Promise.resolve() };
  }
  const now = () => context.clock.now();
  const nothing = { keep: keepNothing, checkKeeping: keepNothing, readBody };
  const own = await openListener({ ...listen, ...nothing, keyring, proof, instance, now });
  return { url: own.url, instance, close: () => own.close() };
}

function keepNothing(): Promise<never> {
  return Promise.reject(new Error('nothing is kept by a check'));
}

function judge(publicUrl: string, { instance, url }: OwnListener, answerer: Answerer): Finding {
  const way = `Let ${publicUrl} lead to ${url}`;
  switch (answerer.kind) {
    case 'listener':
      return isSameState(answerer.instance, instance)
        ? ok(`${publicUrl} leads to the listener at ${url}.`)
        : fail(`At ${publicUrl} the listener of another state answers.`, `${way}.`);
    case 'other':
      return fail(
        `At ${publicUrl} something else answers (${answerer.says}).`,
        `${way}: the path behind it is free, and GET …/healthz has to get through.`,
      );
    case 'silence':
      return fail(
        `${publicUrl} cannot be reached from here: ${answerer.why}.`,
        `${way}. If it can be reached from outside alone, try GET …/healthz from there.`,
      );
  }
}
