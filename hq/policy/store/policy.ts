import type { PolicyStore } from '../port.ts';
import type { Database } from '../../store/engine/database.ts';
import { createPolicyAnswers } from './answer.ts';
import { createPolicyClearance } from './clearance.ts';
import { createPolicyDeletion } from './deletion.ts';
import { createStorageMarker } from './storage-marker.ts';
import { createPolicyDocuments } from './document.ts';
import { createPolicyContents } from './content.ts';
import { createRetentionScopes } from './retention-scope.ts';

/** The policy library on Postgres. */
export const createPolicy = (database: Database): PolicyStore => ({
  contents: createPolicyContents(database),
  documents: createPolicyDocuments(database),
  clearance: createPolicyClearance(database),
  qaLog: createPolicyAnswers(database),
  place: createStorageMarker(database),
  deletion: createPolicyDeletion(database),
  retentionScopes: createRetentionScopes(database),
});
