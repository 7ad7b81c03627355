// The script of a page in the browser: it keeps the page up to date, and can be told not to. Without it every page can
// be read, and every form sent.
import { takeDrops } from './drop.js';
import { takeChoices, takeCopies, takeKeys, takeRows, takeTyping } from './keys.js';
import { morph } from './morph.js';
import { keepTimes, tellTimes } from './times.js';

/** The time until it asks again, as after a restart of the server, which refuses until the new link is opened. */
const AGAIN_MS = 5_000;
const PAUSED = 'sluice-paused';

let source: EventSource | undefined;
let again: number | undefined;
let isFinal = false;

keepUpToDate();
takeDrops();
goOn();
takeKeys();
takeRows();
takeCopies();
takeChoices();
takeTyping();
keepTimes();

function keepUpToDate(): void {
  if (document.querySelector('[data-live]') === null) return;
  const button = document.querySelector<HTMLButtonElement>('#pause-live');
  button?.removeAttribute('hidden');
  button?.addEventListener('click', () => {
    sessionStorage.setItem(PAUSED, isPaused() ? '' : 'yes');
    listenOrNot();
  });
  // A page that is not seen costs nothing. One that is left behind may come back as it was.
  for (const event of ['visibilitychange', 'pageshow']) addEventListener(event, listenOrNot);
  addEventListener('pagehide', stop);
  listenOrNot();
}

function isPaused(): boolean {
  return sessionStorage.getItem(PAUSED) === 'yes';
}

function listenOrNot(): void {
  const button = document.querySelector('#pause-live');
  button?.setAttribute('aria-pressed', String(isPaused()));
  if (isFinal || isPaused() || document.visibilityState === 'hidden') stop();
  else if (source === undefined) listen();
  if (isPaused()) say('Paused');
}

function stop(): void {
  source?.close();
  source = undefined;
  clearTimeout(again);
}

function listen(): void {
  clearTimeout(again);
  source = new EventSource(location.href);
  source.addEventListener('open', () => {
    say('Live');
    warn('');
  });
  source.addEventListener('part', ({ data }) => takePart(JSON.parse(data)));
  source.addEventListener('final', end);
  source.addEventListener('error', () => void tellTrouble());
}

function end(): void {
  isFinal = true;
  stop();
  say('');
  document.querySelector('#pause-live')?.setAttribute('hidden', '');
}

/** Says why the page is not up to date: the server is not there, or its own page says it. Then it is asked again. */
async function tellTrouble(): Promise<void> {
  stop();
  say('Not up to date');
  again = setTimeout(listenOrNot, AGAIN_MS);
  try {
    const answer = await fetch(location.href, { cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const refused = page.querySelector('main p')?.textContent ?? 'Sluice refuses this page.';
    warn(answer.ok ? '' : refused);
  } catch {
    warn('Sluice does not answer. This page goes on when it does.');
  }
}

function takePart({ id, html }: { id: string; html: string }): void {
  const now = document.getElementById(id);
  const next = new DOMParser().parseFromString(html, 'text/html').body.firstElementChild;
  if (now !== null && next !== null) morph(now, document.adoptNode(next));
  tellTimes();
  goOn();
}

function goOn(): void {
  const link = document.querySelector<HTMLAnchorElement>('a[data-goto]');
  if (link !== null) location.replace(link.href);
}

function say(state: string): void {
  const place = document.querySelector('#live-state');
  if (place !== null && place.textContent !== state) place.textContent = state;
}

/** Empty if all is well again. */
function warn(sentence: string): void {
  const place = document.querySelector<HTMLElement>('#live-trouble');
  if (place === null || place.textContent === sentence) return;
  place.textContent = sentence;
  place.hidden = sentence === '';
}
