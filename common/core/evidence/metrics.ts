import { counter, gauge, type Metric } from '../../metrics.ts';
import type { Stores } from '../stores.ts';
import type { EvidenceService } from './service.ts';
import type { EvidenceUploader } from './uploader.ts';

export function evidenceMetrics(
  { evidence, evidenceJobs }: Pick<Stores, 'evidence' | 'evidenceJobs'>,
  service: EvidenceService,
  uploader: EvidenceUploader,
): Metric[] {
  return [
    counter('fieldline_evidence_stored_total', 'Evidence files stored', () => service.counts.stored),
    counter(
      'fieldline_evidence_refused_total',
      'Evidence files that were not what was announced',
      () => service.counts.refused,
    ),
    gauge('fieldline_evidence_bytes', 'Bytes of evidence files', () => evidence.totalSize()),
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
