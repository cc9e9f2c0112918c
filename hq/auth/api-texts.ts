// What the API says of users: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const userFields: FieldTexts = {
  code: ['Of the authenticator app, or a recovery code', '123456'],
  disabled: 'Whether the user is kept out',
  role: 'Of headquarters, or of a customer, who sees their tenant only',
  'NewUser.name': ['Name that the user logs in with', 'li'],
  current_password: ['The password that is valid now', 'an old password'],
  new_password: ['The password from now on; one that is easy to guess is refused', 'seven green cranes'],
};

/** What the codes of errors mean. */
export const userErrors: ErrorTexts = {
  no_second_factor: '没有可操作的二次验证。',
  second_factor_demanded: '本系统要求二次验证，不能移除；管理用户的人员可以重置，由您重新设置。',
  second_factor_required: '该用户设有二次验证，请输入验证器应用的验证码或恢复码。',
  second_factor_set: '已设有二次验证，请先移除。',
  second_factor_wrong: '验证码不正确或已用过，请等待下一个。',
  password_changed: '密码同时被修改，请重新登录。',
  user_exists: '已有同名用户，请换一个名称。',
};
