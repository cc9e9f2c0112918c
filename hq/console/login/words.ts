import { catalogue } from '../word/catalogue.ts';

export const words = catalogue({
  title: { zh: '登录总部控制台', en: 'Log in to headquarters' },
  name: { zh: '用户名', en: 'Name' },
  password: { zh: '密码', en: 'Password' },
  nameNeeded: { zh: '请输入用户名', en: 'Enter your name' },
  passwordNeeded: { zh: '请输入密码', en: 'Enter your password' },
  code: { zh: '验证码', en: 'Code' },
  codeNeeded: { zh: '请输入验证码', en: 'Enter the code' },
  secondAsked: {
    zh: '请输入验证器应用中的 6 位验证码，或一个恢复码。',
    en: 'Enter the six digits of your authenticator app, or a recovery code.',
  },
  codeAsked: { zh: '请输入一个恢复码。', en: 'Enter a recovery code.' },
  passkeyAsked: {
    zh: '请用通行密钥确认，或输入一个恢复码。',
    en: 'Confirm with your passkey, or enter a recovery code.',
  },
  passkeyOrCodeAsked: {
    zh: '请用通行密钥确认，或输入验证器应用中的 6 位验证码或一个恢复码。',
    en: 'Confirm with your passkey, or enter the six digits of your app or a recovery code.',
  },
  usePasskey: { zh: '用通行密钥确认', en: 'Confirm with a passkey' },
  passkey: { zh: '使用通行密钥登录', en: 'Sign in with a passkey' },
  notGiven: {
    zh: '浏览器没有给出通行密钥：已取消、已超时，或此设备上没有。',
    en: 'The browser gave no passkey: it was cancelled, took too long, or there is none on this device.',
  },
  provider: { zh: '使用 {name} 登录', en: 'Sign in with {name}' },
  emergency: { zh: '使用应急账号登录', en: 'Use an emergency account' },
  entering: { zh: '正在登录…', en: 'Logging you in…' },
  again: { zh: '返回登录页', en: 'Back to the login' },
  or: { zh: '或', en: 'or' },
  enter: { zh: '登录', en: 'Log in' },
  wrong: {
    zh: '用户名或密码不正确，或该用户不能登录。',
    en: 'The name or the password is wrong, or the user may not log in.',
  },
  kept: {
    zh: '页面上已填写的内容会保留；换用其他账号登录则会清除。',
    en: 'What you have typed stays, unless somebody else logs in.',
  },
  ended: { zh: '登录已结束，请重新登录。', en: 'Your session has ended. Log in again to go on.' },
});
