import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a user or a password. Each is read after the path of the member. */
export const userFaultMessages = {
  tenant_needed: sentences('is required for a customer', '客户用户必填'),
  tenant_unwanted: sentences('is only for a customer', '只用于客户用户'),
  operators_only: sentences('{name} is only for operators', '{name} 只能授予运营方用户'),
  user_unchanged: sentences(
    'must change something: disabled, permissions, password or emergency',
    '至少要改一项：disabled、permissions、password 或 emergency',
  ),
  password_same: sentences('must not be the present one', '不能与现密码相同'),
  password_short: sentences('must have at least {least} characters', '至少 {least} 个字符'),
  password_guessable: sentences(
    [
      'is too easy to guess: it is made of a common password, a name, a date, a sequence or repetitions; ',
      'several unrelated words will do',
    ],
    '容易被猜到：由常用密码、名称、日期、连续或重复的字符组成；可用几个不相关的词',
  ),
};

export const { faultAt, saying } = faultsOf(userFaultMessages);
