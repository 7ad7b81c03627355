const AGO = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
const AGAIN_MS = 30_000;

/** Shows them now, and from then on keeps those that tell how long ago. */
export function keepTimes(): void {
  const zone = document.querySelector('#zone');
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone !== null) zone.textContent = `Times are in ${name}.`;
  tellTimes();
  setInterval(tellTimes, AGAIN_MS);
}

export function tellTimes(): void {
  for (const place of document.querySelectorAll<HTMLTimeElement>('time')) {
    const at = new Date(place.dateTime);
    // The form of the server: 2026-11-21 07:40:12.
    const full = at.toLocaleString('sv-SE');
    const isAgo = place.dataset['ago'] !== undefined;
    const text = isAgo ? ago(at.getTime() - Date.now()) : full;
    if (place.textContent !== text) place.textContent = text;
    if (isAgo && place.title !== full) place.title = full;
  }
}

/** `ms` is negative for the past. */
function ago(ms: number): string {
  for (const [unit, length] of UNITS) {
    if (Math.abs(ms) >= length) return AGO.format(Math.trunc(ms / length), unit);
  }
  return ms > 0 ? 'in a moment' : 'just now';
}
