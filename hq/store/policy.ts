import type { PolicyStore } from '../policy/port.ts';
import type { Database } from './database.ts';
import { createPolicyAnswers } from './policy-answers.ts';
import { createPolicyClearance } from './policy-clearance.ts';
import { createPolicyDeletion } from './policy-deletion.ts';
import { createPlaceNote } from './policy-place.ts';
import { createPolicyDocuments } from './policy-documents.ts';
import { createPolicyContents } from './policy-contents.ts';
import { createRetentionScopes } from './retention-scopes.ts';

/** The policy library on Postgres. */
export const createPolicy = (database: Database): PolicyStore => ({
  contents: createPolicyContents(database), documents: createPolicyDocuments(database), clearance: createPolicyClearance(database),
  qaLog: createPolicyAnswers(database), place: createPlaceNote(database), deletion: createPolicyDeletion(database), retentionScopes: createRetentionScopes(database),
});
