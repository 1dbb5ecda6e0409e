import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'サービスの状態',
  allGood: 'すべて正常です。',
  failing: '一部が正常に動作していません。下の項目を確認してください。',
  parts: '項目',
  table: 'データベース',
  vault: 'シークレットの暗号化',
  mail: 'メールの送信',
  works: '正常',
  fails: '異常',
  off: '未設定',
  took: '{count, plural, other {#ミリ秒}}',
  version: 'バージョン',
  again: '再確認',
  forDevelopers: '開発者向け',
  reference: 'APIリファレンス',
}
