import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'テストサインインの結果',
  accepted: 'すべて正常です。{name}でサインインできます。',
  refused: '{name}でのサインインはまだできません。次の点を変更して、もう一度テストしてください。',
  testedAt: 'テスト日時：{time}',
  missing: 'この結果は利用できません。結果は短期間だけ保存されます。',
  again: 'もう一度テスト',
  toChange: '変更が必要な点',
  checks: '確認した項目',
  works: '正常',
  change: '要変更',
  notChecked: '未確認',
  technical: '技術的な詳細',
  person: 'プロバイダーが示すあなたの情報',
  nameId: 'プロバイダーでの名前',
  email: 'メール',
  fullName: '氏名',
  groups: 'グループ',
  user: 'ここでのユーザー',
  noUser: '未接続',
  message: 'プロバイダーの応答を読み取れる',
  messageAdvice: '応答がSAML 2.0形式で、変更されずに応答先のアドレスへ送られているか確認してください。',
  status: 'プロバイダーがサインインを許可した',
  statusAdvice:
    'プロバイダーに拒否されました。アカウントにこのアプリの利用が許可されているか確認してください。',
  signature: '応答の署名が証明書と一致する',
  signatureAdvice:
    '証明書が更新された可能性があります。メタデータを更新し、SHA-256で署名しているか確認してください。',
  issuer: '応答がこのプロバイダーからのものである',
  issuerAdvice:
    '設定のプロバイダーIDが送信された値と異なります。メタデータを再読み込みするか、IDを修正してください。',
  address: '応答の宛先がこのサービスの応答先である',
  addressAdvice: 'プロバイダーに次の応答先（ACS URL）を正確に入力してください：{value}',
  audience: '応答がこのサービスとこのサインインのためのものである',
  audienceAdvice:
    'プロバイダーに次のエンティティID（オーディエンス）を正確に入力してください：{value}。サインインは必ずここから開始してください。',
  time: '時計が合っている',
  timeAdvice:
    'プロバイダーの時計がずれているか、応答に時間がかかりすぎました。時刻を同期してから再度テストしてください。',
  subject: '応答が利用者を常に同じ名前で示す',
  subjectAdvice: 'メールアドレスまたは変わらないIDを名前として送るよう、プロバイダーを設定してください。',
  account: '利用者のユーザーがある、または作成される',
  accountAdvice:
    '「初回サインイン時にユーザーを作成」をオンにするか、本人がアカウントページで接続してください。無効なユーザーは有効にする必要があります。',
}
