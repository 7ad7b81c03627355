/** The function with what it made for each thing; an entry is gone with its thing. */
export function madeOnce<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const made = new WeakMap<Of, { readonly it: Made }>();
  return (of) => {
    let entry = made.get(of);
    if (entry === undefined) made.set(of, (entry = { it: make(of) }));
    return entry.it;
  };
}
