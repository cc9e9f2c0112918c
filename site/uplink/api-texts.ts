// What the API says of the uplink: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const uplinkFields: FieldTexts = {
  origin_ids: ['Ids of parked items; left out, all of the channel', [42]],
};

/** What the codes of errors mean. */
export const uplinkErrors: ErrorTexts = {
  hub_unavailable: '没有连上总部，未作任何处理；请稍后再试。',
  uplink_disabled: '没有配置上传；请设置 CORE_UPLINK_URL。',
  uplink_out_of_step: '总部与本站点正在核对位置，请稍后重新发送同一请求。',
};
