import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a part of a form. Each is read after the path of the member. */
export const formFaultMessages = {
  not_text: sentences('must be text, not a file', '必须是文本，不能是文件'),
  not_file: sentences(
    'must be a file, with filename and Content-Type',
    '必须是文件，并带 filename 和 Content-Type',
  ),
};

export const { faultAt } = faultsOf(formFaultMessages);
