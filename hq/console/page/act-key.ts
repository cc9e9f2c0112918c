/** A key of its own for one act of a person: given again it does nothing twice. */
export const actKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, '0')).join('');
