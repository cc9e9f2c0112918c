// What the API says of rollouts: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../../common/http/openapi/field-texts.ts';

const TARGETS = ['RolloutPreviewRequest', 'NewRollout'];
const ofTargets = (texts: FieldTexts): FieldTexts =>
  Object.fromEntries(
    TARGETS.flatMap((id) => Object.entries(texts).map(([name, text]) => [`${id}.${name}`, text])),
  );

/** What the members of request bodies mean. */
export const rolloutFields: FieldTexts = {
  ...ofTargets({
    version: ['The release', '1.2.3'],
    group: ['All sites that are in this group now', 'North'],
    sites: ['These sites', ['tunnel-7']],
    all: 'All sites that the caller may look after',
    first: ['Sites that are begun before all others, in this order', ['tunnel-7']],
    waves: ['How far each wave goes, in sites or as a share of all', ['1', '5%', '25%', '100%']],
  }),
  hours: ['Hours of the clock of each site in which it may install', { from: 1, until: 5 }],
  'UpgradeHours.from': ['The hour from which on', 1],
  'UpgradeHours.until': ['The hour at which it ends', 5],
  caution: ['When the next wave begins, and when the rollout pauses by itself', { settle_minutes: 60 }],
  settle_minutes: ['Minutes that all must be well once a wave is through; 60', 60],
  careful_waves: ['In so many waves from the first on no site may fail; 2', 2],
  fail_percent: ['Percent of a later wave that may fail; 2', 2],
  silent_minutes: ['Minutes unheard after which a site that began to install has failed; 30', 30],
  rest_percent: ['Percent of a wave that the next one need not wait for; 10', 10],
  rest_hours: ['Hours for which they are waited for all the same; 24', 24],
  failed: 'What becomes of the sites that have failed',
};

/** What the codes of errors mean. */
export const rolloutErrors: ErrorTexts = {
  release_incomplete: '该版本不存在或安装包未全部上传，请先上传。',
  rollout_over: '该分批升级已结束。',
  sites_held: '部分站点正在其他分批升级中，请先中止，或排除这些站点。',
};
