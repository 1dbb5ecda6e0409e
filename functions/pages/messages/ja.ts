import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  signIn: '{product} にサインイン',
  reset: '新しいパスワードの設定 – {product}',
  secure: 'アカウントの保護 – {product}',
  confirm: 'メールアドレスの確認 – {product}',
  link: '共有された項目 – {product}',
  invite: '{product} への招待',
  account: 'アカウント – {product}',
  admin: '管理 – {product}',
  needsScript:
    'このページを表示するには JavaScript が必要です。ブラウザーで有効にしてから、ページを再読み込みしてください。',
}
