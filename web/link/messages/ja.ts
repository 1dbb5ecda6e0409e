import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: '共有された項目',
  headingIn: '{product}で共有された項目',
  openedHeading: 'リンクを開きました',
  signedOutHeading: 'サインアウトしました',
  checking: 'リンクを確認しています…',
  shared: '{name}さんがあなたと共有しています。',
  signedInAs: '{name}としてサインインしています。',
  staySignedIn: 'リンクを開いてもサインインしたままです。',
  sharedItems: '共有の内容：',
  aGuest: 'ゲスト',
  linkPassword: 'リンクのパスワード',
  enterPassword: 'リンクのパスワードを入力してください。',
  wrongPassword: 'リンクのパスワードが違います。',
  open: '開く',
  openIn: '{product}で開く',
  isOpen: 'リンクは開いています。',
  isOpenFor: 'リンクは開いています。このブラウザーでは{name}としてサインインしています。',
  closed: 'このリンクは、このブラウザーではもう開いていません。元のリンクをもう一度開いてください。',
  invalid: 'リンクが無効か、期限が切れています。送信者に新しいリンクを依頼してください。',
  incomplete: 'リンクが不完全です。元のリンクをもう一度開いてください。',
  forOnePerson: 'このリンクは特定の方だけのものです。先にサインインすると、ここに戻ります。',
  forSomeoneElse:
    'このリンクは別の方のものです。ご自身宛ての場合は、サインアウトしてご自身のアカウントでサインインしてください。',
  forSomeoneElseThan:
    'このリンクは別の方のものです。{name}としてサインインしています。ご自身宛ての場合は、サインアウトしてご自身のアカウントでサインインしてください。',
  signIn: 'サインイン',
  goToSignIn: 'サインインページへ',
  signOut: 'サインアウト',
  signedOut: 'サインアウトしました。共有されたものは、このブラウザーではもう開いていません。',
}
