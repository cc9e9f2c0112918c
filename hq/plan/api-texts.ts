// What the API says of plans of sites: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const planFields: FieldTexts = {
  'PlanInput.instance': ['The site', 'tunnel-7'],
  'PlanInput.picture': ['PNG, JPEG or WebP in base64', 'iVBORw0KGgo…'],
  'PlanChange.picture': ['PNG, JPEG or WebP in base64; left out, the picture stays', 'iVBORw0KGgo…'],
  'PlanInput.pins': ['The cameras on the plan', []],
  'PlanChange.pins': ['The cameras on the plan, all of them', []],
  'PlanPinInput.camera_ref': ['The camera, as its events name it', 'gate-3'],
  'PlanPinInput.name': [
    'What people call the camera, everywhere; null: as its events name it; left out: it stays',
    'North gate',
  ],
  x: ['Share of the width from the left edge, 0 to 1', 0.25],
  y: ['Share of the height from the upper edge, 0 to 1', 0.5],
};

/** What the codes of errors mean. */
export const planErrors: ErrorTexts = {
  plan_exists: '该站点已有同名平面图，请换一个名称。',
  plan_changed: '平面图已被他人修改，请刷新后重试。',
  too_many_plans: '该站点的平面图数量已达上限，请先删除不用的。',
};
