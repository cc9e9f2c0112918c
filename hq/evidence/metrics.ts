import { counter, type Metric } from '../../common/metrics.ts';
import type { PieceReceiver } from './pieces.ts';
import type { WantCounts, WantPort } from './port.ts';
import type { PreviewReceiver } from './previews.ts';
import type { SiteStates } from './site-states.ts';

type Figure = Exclude<keyof WantCounts, 'oldestAt' | 'lastReason'>;

/** What sites bring of their evidence, and what waits. */
export function siteEvidenceMetrics(parts: {
  pieces: PieceReceiver;
  previews: PreviewReceiver;
  states: Pick<SiteStates, 'refused'>;
  wants: Pick<WantPort, 'counts'>;
}): Metric[] {
  const { pieces, previews, states, wants } = parts;
  const sum = (member: Figure) => async (): Promise<number> =>
    [...(await wants.counts()).values()].reduce((total, counts) => total + counts[member], 0);
  const gauge = (name: string, help: string, member: Figure): Metric => ({
    name,
    help,
    type: 'gauge',
    read: sum(member),
  });
  return [
    counter('fieldline_site_evidence_pieces_total', 'Pieces that sites brought', () => pieces.counts.pieces),
    counter('fieldline_site_evidence_bytes_total', 'Bytes in them', () => pieces.counts.bytes),
    counter('fieldline_site_evidence_kept_total', 'Files of sites that came whole', () => pieces.counts.kept),
    counter('fieldline_site_previews_total', 'Previews that sites brought', () => previews.counts.kept),
    counter('fieldline_site_previews_bytes_total', 'Bytes in them', () => previews.counts.bytes),
    counter(
      'fieldline_site_previews_over_room_total',
      'Previews refused with 507 since a room was full: that of all, of their tenant or of their site',
      () => previews.counts.overRoom,
    ),
    counter(
      'fieldline_site_evidence_over_room_total',
      'Pieces refused with 507 since a room was full: that of all, of their tenant or of their site',
      () => pieces.counts.overRoom,
    ),
    counter(
      'fieldline_site_evidence_mismatched_total',
      'Files of sites that were not what was announced',
      () => pieces.counts.mismatched,
    ),
    counter(
      'fieldline_site_evidence_entries_refused_total',
      'Entries of sites on their evidence that broke a bound and were left out',
      () => states.refused,
    ),
    gauge('fieldline_site_evidence_wanted', 'Files that are wanted of sites', 'files'),
    gauge('fieldline_site_evidence_wanted_bytes', 'Bytes of them that are not here', 'bytes'),
    gauge('fieldline_site_evidence_orders', 'Uploads that sites are to carry out', 'orders'),
    gauge('fieldline_site_evidence_gone', 'Files that sites have deleted', 'gone'),
    gauge('fieldline_site_evidence_failed', 'Files that did not come', 'failed'),
  ];
}
