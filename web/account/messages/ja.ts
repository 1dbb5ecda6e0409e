import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'アカウント',
  signOut: 'サインアウト',
  administration: '管理',
  profile: 'プロフィール',
  password: 'パスワード',
  twoStep: '2 段階認証',
  passkeys: 'パスキー',
  sessions: 'デバイスとセッション',
  apiTokens: 'API トークン',
  connections: '連携アカウント',
  guestHeading: '共有リンクで開いています',
  guestText:
    '共有されたリンクを使い、{name} として閲覧しています。このリンクで利用できるのは共有された内容だけのため、管理できるアカウントはありません。',
  setupRequired:
    '組織の方針により、パスワードのほかに 2 つ目の本人確認が必要です。ここで設定してください。設定が終わるまで、ほかの操作はできません。',
  setupRequiredFrom:
    '組織の方針により、{date}からパスワードのほかに 2 つ目の本人確認が必要です。それまでに 2 段階認証またはパスキーを設定してください。',
  names: '名前と言語',
  fullName: '氏名',
  username: 'ユーザー名',
  languageHint: 'ページとメールで使用します。',
  languageOfBrowser: 'ブラウザーの設定に合わせる',
  email: 'メールアドレス',
  emailVerified: '確認済み',
  emailUnverified: '未確認',
  noEmail: 'メールアドレスは登録されていません。',
  sendLink: 'リンクを再送信',
  linkSent: '{address} にリンクを送信しました。リンクを開いてアドレスを確認してください。',
  emailPending:
    '{address} に送信したリンクを開いて確認してください。それまでは現在のアドレスが使用されます。',
  withdrawEmail: '現在のアドレスのままにする',
  emailWithdrawn: 'メールアドレスは変更されません。',
  changeEmail: 'メールアドレスの変更',
  newEmail: '新しいメールアドレス',
  newEmailHint: '新しいアドレスにリンクを、現在のアドレスにお知らせを送信します。',
  emailInvalid: 'name@example.com のようなメールアドレスを入力してください。',
}
