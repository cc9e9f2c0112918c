// What the operations are called by which sites are upgraded (`operation-names.ts`).

export const UPGRADE_OPERATIONS: Readonly<Record<string, string>> = {
  'GET /api/core/releases': 'listReleases',
  'POST /api/core/releases': 'addRelease',
  'GET /api/core/releases/{version}': 'getRelease',
  'DELETE /api/core/releases/{version}': 'deleteRelease',
  'PUT /api/core/releases/{version}/packages/{architecture}': 'uploadReleasePackage',
  'GET /api/core/uplink/releases/{sha256}': 'uplinkReleasePiece',
  'GET /api/core/rollouts': 'listRollouts',
  'POST /api/core/rollouts': 'startRollout',
  'POST /api/core/rollouts/preview': 'previewRollout',
  'GET /api/core/rollouts/{id}': 'getRollout',
  'GET /api/core/rollouts/{id}/sites': 'listRolloutSites',
  'POST /api/core/rollouts/{id}/pause': 'pauseRollout',
  'POST /api/core/rollouts/{id}/resume': 'resumeRollout',
  'POST /api/core/rollouts/{id}/abort': 'abortRollout',
  'GET /api/core/sites/{instance}/upgrade': 'getSiteUpgrade',
};
