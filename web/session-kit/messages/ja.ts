import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  confirmHeading: 'ご本人の確認',
  confirmText: '安全のため、ご本人であることを確認してください。確認後に変更が行われます。',
  confirmBySigningIn: '安全のため、もう一度サインインしてから変更をやり直してください。',
  confirmWithPasskey: 'パスキーで確認',
  confirmWithProvider: 'サインインサービスで続ける',
  confirm: '確認',
  password: 'パスワード',
  code: '認証アプリのコード',
  codeHint: '代わりに回復コードを入力することもできます。',
  signIn: 'サインイン',
  signInAgain: 'もう一度サインイン',
  wrongPassword: '現在のパスワードと一致しません。',
  wrongCode: 'コードが間違っているか、すでに使用されています。最新のコードを入力してください。',
  wrongPasskey: 'このパスキーは使用できません。お使いのアカウントのパスキーを使用してください。',
  passkeyRequired: 'パスワードに加えてパスキーが必要です。パスキーで確認してください。',
  signedOutHeading: 'サインアウトされています',
  signedOutText: 'セッションが終了しました。もう一度サインインすると、このページに戻ります。',
  copy: 'コピー',
  copied: 'コピーしました。',
  notCopied: 'コピーできませんでした。テキストを選択してコピーしてください。',
  signedOutKeptText:
    '変更内容はこのページに残っています。新しいタブで再度サインインしてから、ここに戻って保存してください。',
  signInInNewTab: '新しいタブでサインイン',
}
