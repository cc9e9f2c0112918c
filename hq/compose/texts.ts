// What each room of headquarters says to callers of the API, put together.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';
import { hubErrors, hubFields } from '../api-texts.ts';
import { userErrors, userFields } from '../auth/api-texts.ts';
import { cameraErrors, cameraFields } from '../camera/api-texts.ts';
import { datasetErrors, datasetFields } from '../dataset/api-texts.ts';
import { dutyErrors, dutyFields } from '../duty/api-texts.ts';
import { fleetErrors, fleetFields } from '../fleet/api-texts.ts';
import { releaseErrors, releaseFields } from '../fleet/release/api-texts.ts';
import { rolloutErrors, rolloutFields } from '../fleet/rollout/api-texts.ts';
import { settingsErrors, settingsFields } from '../fleet/settings/api-texts.ts';
import { integrationErrors, integrationFields } from '../integration/api-texts.ts';
import { knowledgeErrors, knowledgeFields } from '../knowledge/api-texts.ts';
import { planErrors, planFields } from '../plan/api-texts.ts';
import { policyErrors, policyFields } from '../policy/api-texts.ts';
import { receiverErrors, receiverFields } from '../receiver/api-texts.ts';

export const HUB_FIELDS: FieldTexts = {
  ...hubFields,
  ...userFields,
  ...cameraFields,
  ...datasetFields,
  ...dutyFields,
  ...fleetFields,
  ...integrationFields,
  ...knowledgeFields,
  ...planFields,
  ...releaseFields,
  ...rolloutFields,
  ...settingsFields,
  ...policyFields,
  ...receiverFields,
};

export const HUB_ERRORS: ErrorTexts = {
  ...hubErrors,
  ...userErrors,
  ...cameraErrors,
  ...datasetErrors,
  ...dutyErrors,
  ...fleetErrors,
  ...integrationErrors,
  ...knowledgeErrors,
  ...planErrors,
  ...releaseErrors,
  ...rolloutErrors,
  ...settingsErrors,
  ...policyErrors,
  ...receiverErrors,
};
