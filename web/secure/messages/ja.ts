import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'アカウントを保護',
  explanation:
    'アカウントの変更についてメールをお送りしました。心当たりがない場合は、ボタンを押してください。次のことを行います。',
  signsOut: 'ご自身を含め、全員がアカウントからサインアウトされます。',
  removes: 'それ以降に追加されたAPIトークン、パスキー、2つ目の確認手段、連携アカウントを削除します。',
  restores: '変更されたメールアドレスを元に戻します。',
  ends: 'パスワードを知られた可能性がある場合は、使えなくします。新しいパスワードを設定するためのメールをお送りします。',
  report: '心当たりがありません',
  doneHeading: 'アカウントを保護しました',
  done: '全員をサインアウトし、それ以降に追加されたものを削除しました。',
  emailRestored: 'メールアドレスを以前のものに戻しました。',
  passwordEnded: 'これまでのパスワードは使えなくなりました。',
  emailSent: '新しいパスワードを設定するためのリンクをメールでお送りします。',
  incomplete: 'リンクが不完全です。メールからもう一度開いてください。',
  used: 'このリンクは期限が切れているか、すでに使われています。',
  stillInDanger: 'まだ不安がある場合は、パスワードを再設定するか、管理者にお問い合わせください。',
  goToSignIn: 'サインインページへ',
}
