import { randomBytes } from 'node:crypto';

/** Crockford's: without I, L, O and U, which are mistaken for others when they are read out or typed. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** A short code for a person to carry over, such as `7K2M-Q9TD`: 40 random bits, for minutes only. */
export function newShortCode(): string {
  const text = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte & 31]).join('');
  return `${text.slice(0, LENGTH / 2)}-${text.slice(LENGTH / 2)}`;
}

/** A short code as it was typed, in the one form that is compared; null for what is none. */
export function readShortCode(typed: string): string | null {
  const text = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return FORM.test(text) ? `${text.slice(0, LENGTH / 2)}-${text.slice(LENGTH / 2)}` : null;
}
