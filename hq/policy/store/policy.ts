import type { Database } from '../../store/engine/database.ts';
import type { PolicyStore } from '../port.ts';
import { HubQaLog } from './answer.ts';
import { HubClearance } from './clearance.ts';
import { HubPolicyContents } from './content.ts';
import { HubPolicyDeletion } from './deletion.ts';
import { HubPolicyDocuments } from './document.ts';
import { HubOpenQuestions } from './open-question.ts';
import { HubReadings } from './reading.ts';
import { HubRetentionScopes } from './retention-scope.ts';
import { HubSiteLibraries } from './site-library.ts';
import { HubStorageMarker } from './storage-marker.ts';
import { HubSynonyms } from './synonyms.ts';

/** The policy library on Postgres. */
export const createPolicy = (database: Database): PolicyStore => ({
  contents: new HubPolicyContents(database),
  documents: new HubPolicyDocuments(database),
  readings: new HubReadings(database),
  clearance: new HubClearance(database),
  qaLog: new HubQaLog(database),
  storageMarker: new HubStorageMarker(database),
  deletion: new HubPolicyDeletion(database),
  retentionScopes: new HubRetentionScopes(database),
  synonyms: new HubSynonyms(database),
  questions: new HubOpenQuestions(database),
  siteLibraries: new HubSiteLibraries(database),
});
