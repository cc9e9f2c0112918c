import * as z from 'zod/mini';
import { described } from '../../common/http/described.ts';
import { levelOf, securityLevels } from '../../common/policy/level.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import type { RetentionScope } from './port.ts';
import {
  type ChunkText,
  type Grant,
  type PolicyDocument,
  type QaEntry,
  shownState,
  shownStates,
} from './record.ts';

const text = z.nullable(z.string());

export const documentView = z
  .object({
    docId: z.int(),
    tenantCode: z.string(),
    srcSystem: z.string(),
    srcKey: z.string(),
    title: z.string(),
    docNo: text,
    version: z.string(),
    effectiveDate: text,
    expiryDate: text,
    securityLevel: z.enum(securityLevels),
    fileName: text,
    contentType: text,
    size: z.nullable(z.int()),
    sha256: text,
    originalStoredAt: text,
    supersedes: z.nullable(z.int()),
    supersededBy: z.nullable(z.int()),
    status: z.enum(shownStates),
    /** Effective from its day on, whose version before it is in force until then. */
    scheduled: z.boolean(),
    reason: text,
    parseNote: text,
    parsingSince: text,
    missingNumbers: z.array(z.string()),
    effectiveAt: text,
    chunkCount: z.int(),
    chunksSha256: text,
    createdBy: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .register(described, { id: 'PolicyDocument' });
/** After a change of state: with the file whose place it took. */
export const supersedingView = z
  .extend(documentView, { superseded: z.nullable(z.int()) })
  .register(described, { id: 'MovedPolicyDocument' });

export function viewDocument(document: PolicyDocument): z.infer<typeof documentView> {
  const {
    tenantCode,
    srcSystem,
    srcKey,
    title,
    docNo,
    version,
    effectiveDate,
    expiryDate,
    fileName,
    contentType,
    size,
    sha256,
  } = document;
  const { supersedes, supersededBy, status, reason, parseNote, chunkCount, chunksSha256, createdBy } =
    document;
  return {
    docId: document.id,
    tenantCode,
    srcSystem,
    srcKey,
    title,
    docNo,
    version,
    effectiveDate,
    expiryDate,
    securityLevel: levelOf(document.level),
    fileName,
    contentType,
    size,
    sha256,
    originalStoredAt: formatTimeOrNull(document.storedAt),
    supersedes,
    supersededBy,
    status: shownState(status),
    scheduled: status === 'scheduled',
    reason,
    parseNote,
    parsingSince: formatTimeOrNull(document.parsingSince),
    missingNumbers: document.missingNumbers,
    effectiveAt: formatTimeOrNull(document.effectiveAt),
    chunkCount,
    chunksSha256,
    createdBy,
    createdAt: formatTime(document.createdAt),
    updatedAt: formatTime(document.updatedAt),
  };
}

export const chunkView = z
  .object({
    chunkId: z.int(),
    seq: z.int(),
    clausePath: text,
    page: z.nullable(z.int()),
    text: z.string(),
    sha256: z.string(),
    embedModel: text,
    dim: z.nullable(z.int()),
  })
  .register(described, { id: 'PolicyChunk' });

export const viewChunk = ({
  id,
  seq,
  clausePath,
  page,
  text: words,
  textSha256,
  embedModel,
  dim,
}: ChunkText): z.infer<typeof chunkView> => ({
  chunkId: id,
  seq,
  clausePath,
  page,
  text: words,
  sha256: textSha256,
  embedModel,
  dim,
});

export const grantView = z
  .object({
    tenantCode: z.string(),
    subject: z.string(),
    level: z.enum(securityLevels),
    grantedBy: z.string(),
    grantedAt: z.string(),
  })
  .register(described, { id: 'PolicyClearance' });

export const viewGrant = ({ level, grantedAt, ...rest }: Grant): z.infer<typeof grantView> => ({
  ...rest,
  level: levelOf(level),
  grantedAt: formatTime(grantedAt),
});

const citationView = z
  .object({
    chunkId: z.int(),
    docId: z.nullable(z.int()),
    sha256: z.string(),
    docVersion: text,
    clausePath: text,
  })
  .register(described, { id: 'PolicyCitation' });
export const answerView = z
  .object({
    qaId: z.int(),
    tenantCode: z.string(),
    asker: z.string(),
    question: z.string(),
    answer: text,
    refusalReason: text,
    citations: z.array(citationView),
    basisVersion: text,
    indexVersion: text,
    durationMs: z.nullable(z.int()),
    feedback: z.nullable(z.enum(['useful', 'wrong'])),
    feedbackNote: text,
    feedbackAt: text,
    createdAt: z.string(),
  })
  .register(described, { id: 'PolicyAnswer' });

export function viewAnswer(entry: QaEntry): z.infer<typeof answerView> {
  const {
    id,
    tenantCode,
    asker,
    question,
    answer,
    refusalReason,
    citations,
    basisVersion,
    indexVersion,
    durationMs,
    feedback,
    feedbackNote,
  } = entry;
  return {
    qaId: id,
    tenantCode,
    asker,
    question,
    answer,
    refusalReason,
    citations,
    basisVersion,
    indexVersion,
    durationMs,
    feedback,
    feedbackNote,
    feedbackAt: formatTimeOrNull(entry.feedbackAt),
    createdAt: formatTime(entry.createdAt),
  };
}

export const citationReasons = [
  '',
  'not_found',
  'hash_mismatch',
  'superseded',
  'withdrawn',
  'not_effective',
  'expired',
  'not_yet_effective',
] as const;
export const reopenedView = z
  .extend(answerView, {
    citations: z.array(
      z.extend(citationView, { reason: z.enum(citationReasons), supersededBy: z.nullable(z.int()) }),
    ),
    stillValid: z.boolean(),
    asOf: z.string(),
  })
  .register(described, { id: 'PolicyAnswerDetail' });

export const scopeView = z
  .object({
    tenantCode: z.string(),
    scope: z.literal('qa_log'),
    days: z.int(),
    setBy: z.string(),
    setAt: z.string(),
    deletedTotal: z.int(),
  })
  .register(described, { id: 'RetentionScope' });
export const viewScope = ({ setAt, ...rest }: RetentionScope): z.infer<typeof scopeView> => ({
  ...rest,
  setAt: formatTime(setAt),
});
