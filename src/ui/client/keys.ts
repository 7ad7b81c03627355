// What a page does for a person beyond links and forms: keys that go through a list, copied texts, and forms whose lists
// count at once.

export function takeKeys(): void {
  document.documentElement.classList.add('scripted');
  addEventListener('keydown', (event) => {
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

/** A click beside everything in a row of leads opens its lead. */
export function takeRows(): void {
  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || getSelection()?.isCollapsed === false) return;
    if (target.closest('a, button, summary, details') !== null) return;
    target.closest('#leads tbody tr')?.querySelector<HTMLAnchorElement>('th a')?.click();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea');
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
