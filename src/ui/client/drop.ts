// A file that is dropped is sent to the path in `data-drop`, with the token in `data-token`.

export function takeDrops(): void {
  if (document.querySelector('[data-drop]') === null) return;
  // Beside the place, the browser would leave the page and show the file.
  for (const event of ['dragover', 'drop'] as const) {
    addEventListener(event, (dragged) => {
      if (dragged.dataTransfer?.types.includes('Files') === true) dragged.preventDefault();
    });
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-drop]')) {
    const input = place.querySelector<HTMLInputElement>('input[type=file]');
    input?.addEventListener('change', () => void send(place, input.files?.[0]));
    place.addEventListener('dragover', (event) => {
      event.preventDefault();
      place.classList.add('over');
    });
    place.addEventListener('dragleave', () => place.classList.remove('over'));
    place.addEventListener('drop', (event) => {
      event.preventDefault();
      place.classList.remove('over');
      void send(place, event.dataTransfer?.files[0]);
    });
  }
}

async function send(place: HTMLElement, file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const { drop = '', token = '' } = place.dataset;
  try {
    const answer = await fetch(`${drop}?name=${encodeURIComponent(file.name)}`, {
      method: 'POST',
      headers: { 'x-sluice-token': token, 'content-type': 'application/octet-stream' },
      body: file,
    });
    const page = await answer.text();
    if (answer.ok) location.assign(answer.url);
    else tell(sentenceOf(page));
  } catch {
    tell('The file could not be sent. Is it larger than allowed, or has Sluice ended?');
  }
}

function sentenceOf(page: string): string {
  const refused = new DOMParser().parseFromString(page, 'text/html');
  const told =
    refused.querySelector('[data-drop-trouble]:not([hidden])') ?? refused.querySelector('main p');
  return told?.textContent ?? 'The file was refused.';
}

function tell(sentence: string): void {
  const place = document.querySelector<HTMLElement>('[data-drop-trouble]');
  if (place === null) return;
  place.textContent = sentence;
  place.hidden = false;
}
