import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'メールアドレスを確認',
  explanation: 'このメールアドレスがご自身のものであることを確認してください。',
  confirm: 'アドレスを確認',
  doneHeading: 'メールアドレスを確認しました',
  done: 'メールアドレスを確認しました。このページを閉じてかまいません。',
  taken: '別のアカウントがこのアドレスを使っています。管理者にお問い合わせください。',
  incomplete: 'リンクが不完全です。メールからもう一度開いてください。',
  used: 'このリンクは期限が切れているか、すでに使われています。',
  getNewLink: '新しいリンクを受け取るには、サインインするか管理者にお問い合わせください。',
  goToSignIn: 'サインインページへ',
}
