// What the API says of releases: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const releaseFields: FieldTexts = {
  manifest: ['What was signed, base64', 'eyJmb3JtYXQiOjF9'],
  'SignedRelease.key': ['Name of the key that signed it', '0123456789abcdef'],
  signature: ['The signature, base64', `${'A'.repeat(86)}==`],
};

/** What the codes of errors mean. */
export const releaseErrors: ErrorTexts = {
  package_mismatch: '内容与版本包中声明的安装包不符，未存入任何内容。',
  release_exists: '该版本已存在且内容不同。版本号不能重复使用，请生成新版本。',
  release_in_use: '该版本正在分批升级中，请先中止升级。',
  release_keys_unreadable: '无法读取发布公钥（CORE_RELEASE_KEYS），未作任何更改。',
  release_unsigned: '版本包的签名与总部持有的任何公钥都不符，未存入任何内容。',
  releases_later: '总部当前有更紧急的工作，请稍后再取安装包。',
};
