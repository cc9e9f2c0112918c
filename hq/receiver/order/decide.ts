import { type MessageParam, translate } from '../../../common/message.ts';
import { hubMessages } from '../../hub-messages.ts';
import type { RefusedOrder } from './record.ts';

/** Why a site refused an order, as a part of a sentence in any language that is known of it. */
export const refusalParam = ({ told, reason }: Pick<RefusedOrder, 'told' | 'reason'>): MessageParam =>
  told !== null && translate(hubMessages, told, 'zh') !== null ? told : reason;
