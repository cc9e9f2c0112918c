/** Where passkeys can be. */
export interface PasskeyPlace {
  /** Of the console, as browsers write it. */
  origin: string;
  /** The name of the host. */
  rpId: string;
}

/** Why there are none: the console has no address, or one that browsers take for no passkeys. */
export const placesMissing = ['no_address', 'address_without_name', 'address_without_tls'] as const;
export type PlaceMissing = (typeof placesMissing)[number];

/** A public key of a person, whose private half is in a telephone, a computer or a security key. */
export interface PasskeyRecord {
  id: string;
  userName: string;
  /** As its owner calls it. */
  name: string;
  /** As the browser names it, base64url. */
  credentialId: string;
  /** COSE, base64url. */
  publicKey: string;
  /** How often it signed, as it says itself; many say 0 for ever. */
  counter: number;
  /** How browsers reach it. */
  transports: string[];
  /** The host that it was made for; it signs for no other. */
  rpId: string;
  createdAt: number;
  lastUsedAt: number | null;
}

/** Asked of a browser, and good for one answer. */
export interface ChallengeRow {
  /** SHA-256 of the challenge. */
  id: string;
  /** What alone may answer: a session, a user whose password was right, or a browser. */
  boundTo: string;
  expiresAt: number;
}

/** Most that a person may have. */
export const MOST_PASSKEYS = 20;
/** A challenge is answered within this time, ms. */
export const CHALLENGE_MS = 300_000;
/** Challenges that wait for one session, user or browser, as for several tabs. */
export const CHALLENGES_OF_ONE = 5;
/** Challenges that wait in all; beyond, the oldest are void. */
export const MOST_CHALLENGES = 10_000;
