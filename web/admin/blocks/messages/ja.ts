import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'ブロック中のアドレス',
  intro: '現在拒否されている対象と、メールが届かないアドレスです。',
  limits: '試行回数の超過',
  noLimits: '現在、拒否されている対象はありません。',
  suppressed: 'メールを送信しないアドレス',
  noSuppressed: 'すべてのアドレスに送信しています。',
  findAddress: '完全なアドレスで検索',
  who: '対象',
  what: '理由',
  since: '開始',
  until: '終了',
  untilSuccess: '次に成功するまで',
  user: 'ユーザー {number}',
  network: 'ネットワーク {address}',
  link: 'アクセスリンク {number}',
  unknown: '不明',
  signInAttempts: 'サインインの試行',
  linkAttempts: 'リンクを開く試行',
  emails: 'メールの要求',
  otherRequests: 'その他の要求',
  bounce: 'メールが配信できませんでした',
  complaint: '受信者が迷惑メールとして報告しました',
  lift: '解除',
  liftLimit: 'ブロックを解除しますか？',
  liftLimitText: '{who} は直ちに再試行できます。攻撃者も続行できる可能性があります。',
  liftAddressText:
    '{who} へのメール送信を再開します。不達は送信元の評価を下げるため、原因の解消後に行ってください。',
  lifted: 'ブロックを解除しました。',
}
