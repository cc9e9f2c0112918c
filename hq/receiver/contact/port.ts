/** Tells of which sites something was changed that a call of theirs is answered by, by whichever process. */
export interface SiteNews {
  /** Whether all changes are told now, but for those of the last two seconds. */
  current(): boolean;
  /** @param told with the name of the site; null: news may have been missed, and of any site */
  onSite(told: (instance: string | null) => void): void;
}

/** A site that has called. */
export interface Contact {
  instance: string;
  version: string;
  features: readonly string[];
  /** Epoch ms. */
  at: number;
}

export interface ContactPort {
  /** Notes that authenticated calls came, also some with nothing in them; one contact a site. */
  noteContacts(contacts: readonly Contact[]): Promise<void>;
}
