import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: '新しいパスワードを設定',
  checking: 'リンクを確認しています…',
  account: '{username}の新しいパスワードを設定します。',
  saveSuggestion: '続ける前に、このパスワードをパスワードマネージャーに保存してください。',
  suggest: 'パスワードを提案',
  endApiTokens: '自分のAPIトークンもすべて削除する',
  save: 'パスワードを設定',
  doneHeading: 'パスワードを変更しました',
  done: '新しいパスワードを設定しました。このパスワードでサインインできます。',
  signIn: 'サインイン',
  goToSignIn: 'サインインページへ',
  incomplete: 'リンクが不完全です。メールからもう一度開いてください。',
  used: 'このリンクは期限が切れているか、すでに使われています。',
  getNewLink: '新しいリンクは、サインインページの「パスワードをお忘れですか？」から受け取れます。',
}
