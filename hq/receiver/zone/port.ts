/** The time zone of a site's machine: an IANA name, or an offset as `+08:00`. */
export interface SiteZone {
  instance: string;
  zone: string;
}

export interface SiteZonePort {
  /**
   * Of the live sites that have told theirs, each also under the names that it goes on with.
   * @param tenantCode only sites of this tenant; null is every site
   */
  zones(tenantCode: string | null): Promise<SiteZone[]>;
}
