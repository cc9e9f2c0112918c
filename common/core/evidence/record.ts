/** What evidence may take. */
export interface EvidenceLimits {
  /** Bytes of all files. */
  total: number;
  /** Percent of it that one tenant may take; 0: as much as each of the tenants that are known here. */
  tenantPercent: number;
  /** Percent of its tenant's share that one site may take, where that tenant has several. */
  sitePercent: number;
}
