// What the API says of users: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const userFields: FieldTexts = {
  disabled: 'Whether the user is kept out',
  role: 'Of headquarters, or of a customer, who sees their tenant only',
  'NewUser.name': ['Name that the user logs in with', 'li'],
  current_password: ['The password that is valid now', 'an old password'],
  new_password: ['The password from now on; one that is easy to guess is refused', 'seven green cranes'],
};

/** What the codes of errors mean. */
export const userErrors: ErrorTexts = {
  password_changed: '密码同时被修改，请重新登录。',
  user_exists: '已有同名用户，请换一个名称。',
};
