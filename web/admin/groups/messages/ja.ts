import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'グループ',
  intro: 'メンバーにはグループの権限が与えられます。',
  search: '名前で検索',
  newGroup: '新しいグループ',
  group: 'グループ',
  members: 'メンバー',
  noMembers: 'メンバーはまだいません。',
  addMembers: 'メンバーを追加',
  empty: 'グループはまだありません。',
  deleteGroup: 'このグループを削除',
  deleteGroupText:
    '{count, plural, =0 {このグループにメンバーはいません。} other {# 人のメンバーがこのグループの権限を失います。}}',
}
