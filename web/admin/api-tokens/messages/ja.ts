import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'API トークン',
  intro:
    'すべてのユーザーの API トークンを新しい順に表示します。使用されていないトークンや、権限が多すぎるトークンは取り消してください。',
  findOwner: '所有者で検索',
  owner: '所有者',
  show: '表示',
  ofUser: '{name} の API トークン',
  allTokens: 'すべてのユーザーの API トークン',
  findName: '完全な名前で検索',
  scopes: '利用範囲',
  unlimited: 'ユーザーに許可された全操作',
  created: '作成日時',
  lastUsed: '最終使用',
  expires: '有効期限',
  empty: 'このユーザーに API トークンはありません。',
  emptyAll: 'API トークンはまだありません。',
  revokeToken: 'API トークンを取り消しますか？',
  revokeTokenText: '{name} を使用しているプログラムは直ちにアクセスできなくなります。',
  revoked: 'API トークンを取り消しました。',
}
