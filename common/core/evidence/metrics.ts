import { counter, gauge, type Metric } from '../../metrics.ts';
import type { Stores } from '../stores.ts';
import type { EvidenceFiles } from './files.ts';
import type { EvidenceService } from './service.ts';
import type { EvidenceUploader } from './uploader.ts';

export function evidenceMetrics(
  { evidence, evidenceJobs }: Pick<Stores, 'evidence' | 'evidenceJobs'>,
  service: EvidenceService,
  uploader: EvidenceUploader,
  files: EvidenceFiles,
): Metric[] {
  return [
    counter('fieldline_evidence_stored_total', 'Evidence files stored', () => service.counts.stored),
    counter(
      'fieldline_evidence_refused_total',
      'Evidence files that were not what was announced',
      () => service.counts.refused,
    ),
    counter(
      'fieldline_evidence_damaged_total',
      'Evidence files found to have other bytes on the disk than were received; they are not handed out',
      () => files.damaged,
    ),
    gauge('fieldline_evidence_bytes', 'Bytes of evidence files', () => evidence.totalSize()),
    gauge('fieldline_evidence_tenant_bytes', 'Bytes of evidence files, by tenant', async () =>
      [...Map.groupBy(await evidence.use(), ({ tenantCode }) => tenantCode)].map(([tenant, uses]) => ({
        labels: { tenant },
        value: uses.reduce((sum, { bytes }) => sum + bytes, 0),
      })),
    ),
    counter(
      'fieldline_evidence_over_room_total',
      'Evidence files refused with 507 since a room was full: that of all, of the tenant or of the site',
      () => service.counts.overRoom,
    ),
    counter(
      'fieldline_evidence_uploads_done_total',
      'Files brought to the storage of a consumer',
      () => uploader.counts.done,
    ),
    counter('fieldline_evidence_uploads_failed_total', 'Tries that failed', () => uploader.counts.failed),
    gauge(
      'fieldline_evidence_jobs_pending',
      'Uploads that wait',
      async () => (await evidenceJobs.counts()).pending,
    ),
    gauge(
      'fieldline_evidence_jobs_failed',
      'Uploads given up',
      async () => (await evidenceJobs.counts()).failed,
    ),
  ];
}
