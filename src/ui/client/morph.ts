// Makes an element on the page look like a new one, and keeps the state that a person has made: focus, typed or marked
// text, scrolling, open disclosures.

/** `now` becomes equal to `next`; `next` is taken apart. */
export function morph(now: Element, next: Element): void {
  if (now.isEqualNode(next)) return;
  takeAttributes(now, next);
  takeChildren(now, next);
}

function takeAttributes(now: Element, next: Element): void {
  // A person opens and closes a disclosure, never a new version of the page.
  const isKept = (name: string): boolean => now.tagName === 'DETAILS' && name === 'open';
  for (const { name } of Array.from(now.attributes)) {
    if (!next.hasAttribute(name) && !isKept(name)) now.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (now.getAttribute(name) !== value && !isKept(name)) now.setAttribute(name, value);
  }
}

function takeChildren(now: Element, next: Element): void {
  // Rows have an id each, so that one that comes first does not rewrite all the others.
  const byId = new Map([...now.children].flatMap((child) => (child.id ? [[child.id, child]] : [])));
  let place = now.firstChild;
  for (const wanted of Array.from(next.childNodes)) {
    const there = wanted instanceof Element && wanted.id ? byId.get(wanted.id) : place;
    if (there === undefined || there === null || !isSameKind(there, wanted)) {
      now.insertBefore(wanted, place);
      continue;
    }
    if (there === place) place = place.nextSibling;
    else now.insertBefore(there, place);
    if (there instanceof Element) morph(there, wanted as Element);
    else if (there.nodeValue !== wanted.nodeValue) there.nodeValue = wanted.nodeValue;
  }
  while (place !== null) {
    const after: ChildNode | null = place.nextSibling;
    place.remove();
    place = after;
  }
}

function isSameKind(one: Node, other: Node): boolean {
  if (one.nodeName !== other.nodeName) return false;
  return !(one instanceof Element) || one.id === (other as Element).id;
}
