// What the API says of users: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const userFields: FieldTexts = {
  'FactorCode.code': ['Of the authenticator app, or a recovery code', '123456'],
  'PasswordLogin.passkey':
    'What a passkey signed; 401 `second_factor_required` has as `passkey` what the browser is asked for it',
  'NewPasskey.name': ['What its owner calls it', 'Telephone'],
  'PasskeyChange.name': ['What its owner calls it', 'Telephone'],
  'NewPasskey.credential': 'What `navigator.credentials.create` gave, as its `toJSON`',
  'PasskeySignIn.credential': 'What `navigator.credentials.get` gave, as its `toJSON`',
  rawId: ['The same as `id`', 'Vm9pY2k'],
  response: 'What the browser gave',
  clientDataJSON: ['What the browser was asked, and at which address, in base64url', 'eyJ0eXBlIjoi'],
  attestationObject: ['The public key, in CBOR and base64url', 'o2NmbXRkbm9uZQ'],
  authenticatorData: ['What the passkey says of itself, in base64url', 'SZYN5YgOjGh0'],
  signature: ['Over both, in base64url', 'MEUCIQDZ'],
  userHandle: ['By what the passkey knows its user, in base64url', 'Zm9v'],
  transports: ['How browsers reach it', ['internal']],
  'PasswordLogin.code': ['Of the authenticator app, or a recovery code', '123456'],
  emergency: 'Whether it logs in with its password where others may not, which is an alarm',
  query: ['Of the address that the provider sent the browser back to', 'code=SplxlOBe&state=af0ifjsldkj'],
  disabled: 'Whether the user is kept out',
  role: 'Of headquarters, or of a customer, who sees their tenant only',
  'NewUser.name': ['Name that the user logs in with', 'li'],
  current_password: ['The password that is valid now', 'an old password'],
  new_password: ['The password from now on; one that is easy to guess is refused', 'seven green cranes'],
};

/** What the codes of errors mean. */
export const userErrors: ErrorTexts = {
  no_second_factor: '没有可操作的二次验证。',
  second_factor_demanded: '本系统要求二次验证，最后一项不能移除；请先设置另一项，或由管理用户的人员重置。',
  second_factor_required: '该用户设有二次验证，请输入验证器应用的验证码或恢复码。',
  passkey_known: '该通行密钥已登记，请换一台设备。',
  passkey_refused: '通行密钥的应答无效：来自其他地址、被改动，或密钥已被复制。请重试。',
  passkey_stale: '通行密钥验证超时，或其应答已使用过，请重试。',
  passkey_unknown: '该通行密钥在此无效，可能已被移除。',
  passkeys_many: '通行密钥数量已达上限，请先移除一个。',
  passkeys_off: '通行密钥需要控制台有带主机名的 https:// 地址（AGENT_LINK_URL）。',
  second_factor_set: '已设有二次验证，请先移除。',
  second_factor_wrong: '验证码不正确或已用过，请等待下一个。',
  account_disabled: '您的账号已在本系统停用。',
  provider_off: '本系统未配置统一身份认证（CORE_OIDC_ISSUER）。',
  provider_away: '统一身份认证服务无法访问或应答异常，请稍后重试，或使用应急账号。',
  sign_in_stale: '本次登录已使用过、已超时，或由其他浏览器发起，请重新登录。',
  provider_denied: '统一身份认证服务没有允许登录。',
  provider_answer_refused: '统一身份认证服务的应答不可信或已过期，请重新登录；若仍如此，请联系系统管理员。',
  provider_no_name: '统一身份认证没有提供可用的用户名，请联系账号管理员。',
  provider_no_role: '统一身份认证没有给您本系统的角色，请联系账号管理员。',
  provider_no_tenant: '统一身份认证没有给您本系统中的租户，请联系账号管理员。',
  provider_several_tenants: '统一身份认证给了您多个租户，而租户用户只能属于一个，请联系账号管理员。',
  provider_name_taken: '本系统已有同名的本地账号，请联系用户管理员。',
  user_of_provider: '该用户由统一身份认证管理，没有本地密码，也不能作为应急账号。',
  password_changed: '密码同时被修改，请重新登录。',
  user_exists: '已有同名用户，请换一个名称。',
};
