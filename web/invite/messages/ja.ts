import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: '{product} へようこそ',
  invitedBy: '{inviter} さんから招待されました。ユーザー名は {username} です。',
  invited: '招待されました。ユーザー名は {username} です。',
  signedInAsOther: '現在 {other} としてサインインしています。承諾すると、{username} としてサインインします。',
  password: 'パスワードを設定',
  accept: '招待を承諾',
  ways: 'サインイン方法を選択してください。',
  otherWays: 'パスワードを使用しない場合：',
  createPasskey: 'パスキーを作成',
  continueWith: '{provider} で続行',
  needsSecondFactor:
    '所属する組織では、サインインのたびに 2 段階目の確認が必要です。招待を承諾してから設定してください。',
  acceptAndSetUp: '承諾して設定',
  noWay:
    'このブラウザーでは招待を承諾できません。別のブラウザーでリンクを開くか、招待した方にお問い合わせください。',
  endedHeading: 'この招待は無効です',
  ended: 'すでに使用されたか、取り消されたか、有効期限が切れています。',
  askAgain: '招待した方に新しい招待を依頼してください。すでに承諾している場合は、サインインしてください。',
  goToSignIn: 'サインインページへ',
  accepted: '招待を承諾し、サインインしました。',
}
