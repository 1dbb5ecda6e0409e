import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'ユーザー',
  search: '名前、ユーザー名、メールで検索',
  state: '状態',
  enabled: '有効',
  disabled: '無効',
  expired: '期限切れ',
  username: 'ユーザー名',
  email: 'メールアドレス',
  lastSeen: '最終アクセス',
  empty: 'ユーザーはまだいません。',
}
