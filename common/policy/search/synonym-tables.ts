import { constructionSynonyms, SHIPPED_SYNONYMS, Synonyms } from '../terms/synonyms.ts';

/** The words that mean the same to a tenant. */
export interface SynonymSource {
  /** 0 where the tenant never had a table. */
  revisionOf(tenantCode: string): Promise<number>;
  get(tenantCode: string): Promise<{ revision: number; shipped: boolean; groups: string[][] }>;
}

/** Tenants whose tables are kept ready; of one more the oldest is made ready again at its next question. */
const KEPT = 100;

/** The synonyms of each tenant as its table says now. */
export class SynonymTables {
  #port: SynonymSource;
  #ready = new Map<string, { revision: number; synonyms: Synonyms }>();

  constructor(port: SynonymSource) {
    this.#port = port;
  }

  async of(tenantCode: string): Promise<Synonyms> {
    const revision = await this.#port.revisionOf(tenantCode);
    if (revision === 0) return constructionSynonyms;
    const known = this.#ready.get(tenantCode);
    if (known?.revision === revision) return known.synonyms;
    const table = await this.#port.get(tenantCode);
    const synonyms = new Synonyms([...(table.shipped ? SHIPPED_SYNONYMS : []), ...table.groups]);
    this.#ready.delete(tenantCode);
    this.#ready.set(tenantCode, { revision: table.revision, synonyms });
    const [oldest] = this.#ready.keys();
    if (this.#ready.size > KEPT && oldest !== undefined) this.#ready.delete(oldest);
    return synonyms;
  }
}
