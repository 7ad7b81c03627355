// What a page does for a person beyond links and forms: keys that go through a list, copied texts, forms whose lists
// count at once, and a list that follows what is typed.
import { morph } from './morph.js';

export function takeKeys(): void {
  document.documentElement.classList.add('scripted');
  addEventListener('click', ({ target }) => closeMenus(target));
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeMenus(null);
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (event.key === '/') {
      const field = document.querySelector<HTMLInputElement>('main input[type=search]');
      if (field === null) return;
      event.preventDefault();
      field.select();
      field.focus();
    }
    if (event.key === 'j') goOn(1);
    if (event.key === 'k') goOn(-1);
  });
}

/** An open menu covers the page below it: a click beside it closes it. */
function closeMenus(clicked: EventTarget | null): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.menu[open]')) {
    if (!(clicked instanceof Node && menu.contains(clicked))) menu.open = false;
  }
}

/** A click beside everything in a row of leads opens its lead. */
export function takeRows(): void {
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return;
    if (target.closest('a, button, summary, details') !== null) return;
    target.closest('#leads tbody tr')?.querySelector<HTMLAnchorElement>('th a')?.click();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select');
}

/** Moves the focus to the next row of the list; on the page of one of its rows it opens the next page. */
function goOn(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('main tbody th a')];
  if (rows.length === 0) {
    document.querySelector<HTMLAnchorElement>(`main a[rel=${by === 1 ? 'next' : 'prev'}]`)?.click();
    return;
  }
  const at = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement));
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

/** Where the browser lets a page copy: not at an address of the network without TLS. */
export function takeCopies(): void {
  if (!isSecureContext) return;
  document.documentElement.classList.add('copies');
  addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest('button[data-copy]');
    if (button instanceof HTMLButtonElement) void copy(button);
  });
}

async function copy(button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(button.dataset['copy'] ?? '');
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed by the browser';
  }
}

const FOCUSED = 'sluice-focus';

/** Sends a form when one of its lists is changed, which keeps the focus; its button is not needed then. */
export function takeChoices(): void {
  document.getElementById(sessionStorage.getItem(FOCUSED) ?? '')?.focus();
  sessionStorage.removeItem(FOCUSED);
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-at-once]')) {
    form.addEventListener('change', ({ target }) => {
      if (!(target instanceof HTMLSelectElement)) return;
      sessionStorage.setItem(FOCUSED, target.id);
      form.requestSubmit();
    });
    // What is not chosen is not in the address.
    form.addEventListener('formdata', ({ formData }) => {
      const empty = [...formData].filter(([, value]) => value === '');
      for (const [name] of empty) formData.delete(name);
    });
  }
}

/** The time without a key after which a text is looked for. */
const TYPING_MS = 250;

/** Of a run that has ended: its leads are those with the text that is typed. Others change by themselves. */
export function takeTyping(): void {
  const field = document.querySelector<HTMLInputElement>('form[data-at-once] input[type=search]');
  if (field === null || document.querySelector('[data-live]') !== null) return;
  let typing = new AbortController();
  field.addEventListener('input', () => {
    typing.abort();
    typing = new AbortController();
    const { signal } = typing;
    setTimeout(() => void follow(field, signal), TYPING_MS);
  });
}

async function follow({ name, value }: HTMLInputElement, signal: AbortSignal): Promise<void> {
  const address = new URL(location.href);
  for (const other of [name, 'after', 'before', 'page']) address.searchParams.delete(other);
  if (value !== '') address.searchParams.set(name, value);
  try {
    const answer = await fetch(address, { signal, cache: 'no-store' });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [now, next] = [document, page].map((one) => one.getElementById('leads'));
    if (!now || !next) return;
    morph(now, document.adoptNode(next));
    history.replaceState(null, '', address);
  } catch {
    // More was typed meanwhile, or the server does not answer: the button shows that.
  }
}
