import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  goToSignIn: 'サインインページへ',
  support: 'ヘルプ',
  tryAgain: 'もう一度試す',
  requestNumber: 'リクエスト番号: {number}',
  minutes: '{count, plural, other {# 分}}',
  seconds: '{count, plural, other {# 秒}}',
  notFoundTitle: 'ページが見つかりません',
  notFound: 'このアドレスにページはありません。アドレスが不完全か、ページが移動した可能性があります。',
  noPageTitle: 'このページは表示できません',
  noPage: 'このアドレスはプログラム用で、ページはありません。',
  tooManyTitle: '試行回数が多すぎます',
  tooMany: '試行回数が多すぎます。{wait}待ってから、もう一度お試しください。',
  notSignedInTitle: 'サインインしていません',
  forbiddenTitle: 'この操作はできません',
  didNotWorkTitle: 'うまくいきませんでした',
  wrongTitle: '問題が発生しました',
  signOutFailedTitle: 'サインアウトできませんでした',
  signInFailedTitle: 'サインインできませんでした',
  expiredTitle: 'このサインインは無効になりました',
  providerMissing:
    'このリンクのサインイン方法は利用できなくなりました。サインインページで別の方法を選んでください。',
  signInFirst: 'サインインページでサインインしてから、もう一度お試しください。',
  forbidden: 'この操作を行う権限がありません。必要な場合は管理者に依頼してください。',
  conflict: '同時に別の変更が行われました。もう一度お試しください。',
  ourSide:
    'サービス側で問題が発生しました。しばらくしてからもう一度お試しください。解決しない場合は、下の番号を管理者にお伝えください。',
  yourProvider: 'サインイン先のサービス',
  startLinkInvalid:
    '{provider} でサインインするためのリンクが正しくありません。ここから、またはサインインページからやり直してください。',
  responseUnreadable:
    '{provider} からの応答を読み取れなかったため、サインインしていません。もう一度お試しください。解決しない場合は管理者にお問い合わせください。',
  signOutUnreadable:
    '{provider} からの応答を処理できなかったため、まだサインインしている可能性があります。サインインページで確認し、そこでサインアウトしてください。',
  linkInvalid: 'このリンクは正しくありません。サインインページから始めてください。',
  failed:
    '{provider} でのサインインができませんでした。もう一度お試しください。解決しない場合は、下の番号を管理者にお伝えください。',
  noCookie:
    'サインインに必要な Cookie がブラウザーに保存されませんでした。{host} の Cookie を許可して、もう一度サインインしてください。',
  notStarted:
    '{provider} でのサインインは、ここで開始されていないか、時間が経ちすぎています。ここからやり直してください。',
  otherBrowser:
    'サインインは別のブラウザーで開始されました。このブラウザーでもう一度サインインしてください。',
  ended: 'サインインはすでに終了したか、時間がかかりすぎました。もう一度サインインしてください。',
  signedOut: 'その間に {provider} からサインアウトされました。もう一度サインインしてください。',
  signUpRefused:
    'アカウントは作成されませんでした。作成されるべきだと思われる場合は、このサービスの運営者にお問い合わせください。',
  noAccount:
    '接続されているアカウントがありません。アカウントをお持ちの場合は、ここでサインインし、続けて確認すると接続できます。お持ちでない場合は、管理者に依頼してください。',
  needsInvitation:
    '新しいアカウントには招待が必要です。招待を受け取っている場合は、そのリンクを開き、そこで{provider}を選んでください。',
  connectAccounts: 'アカウントを持っている: サインインして接続',
  accountThere: '{provider} でのアカウント: {account}',
  switchQuestion: '{account} として続行しますか?',
  switchWarning:
    'これは別のアカウントです。{provider} でのサインインに心当たりがない場合は、{user} のままにしてください。',
  switchYes: '{account} として続行',
  switchNo: '{user} のままにする',
  switchDone: '{account} としてサインインしました',
  connectQuestion: '{provider} の {account} をアカウント {user} に接続しますか?',
  connectWarning:
    '接続すると、{provider} に {account} としてサインインした人は、ここでは {user} としてサインインします。ご自身のアカウントだけを接続してください。',
  connectYes: '接続',
  connectNo: '接続しない',
  connectDone: 'アカウントを接続しました',
  createQuestion: 'ここでアカウントを作成しますか？',
  createUnknown:
    'まだここのアカウントに接続されていません。すでにアカウントをお持ちの場合は、接続してください。',
  createYes: 'アカウントを作成',
  acceptTerms: '{terms}に同意します',
  terms: '利用規約（バージョン {version}）',
  codeQuestion: 'コードを入力してください',
  codeLabel: '認証アプリのコード、または回復用コード',
  codeWrong: 'コードが正しくないか、期限切れか、使用済みです。次のコードをお待ちください。',
  secondFactorNeeded:
    'このアカウントには 2 つ目の本人確認が必要です。サインインページで、パスキー、またはパスワードとコードでサインインしてください。',
  codeDone: 'サインインしました',
  otherProvider: '会社の設定により、{provider} でのサインインが必要です。',
  disabled: 'アカウントが無効か、有効期限が切れています。管理者にお問い合わせください。',
  taken:
    '{provider} のアカウントは別のユーザーに属しています。そのアカウントでサインインするか、管理者にお問い合わせください。',
  signInToLink: 'まずここでサインインしてください。その後、{provider} のアカウントを接続してください。',
  organizationInactive: '現在、ここではお客様の組織を利用できません。組織の管理者にお問い合わせください。',
  organizationFull: 'お客様の組織のメンバー数は上限に達しています。組織の管理者に空きを依頼してください。',
  notMember: 'この組織のメンバーではありません。追加するよう組織の管理者に依頼してください。',
  needsHttps:
    '{provider} でサインインできるのは、ドメイン名のある https アドレスだけです。{host} はこれに当たりません。ここでは別の方法でサインインしてください。',
  noNewProof:
    '{provider} で再度のサインインが求められませんでした。ここではそれが必要です。{provider} からサインアウトして、もう一度お試しください。問題が続く場合は、管理者にお問い合わせください。',
  oldKey:
    '{provider} からの応答を、以前と同様に読み取れませんでした。管理者が {provider} との接続を更新する必要があります。',
  appRequestInvalid:
    'アプリから正しくない要求が送信されました。アプリに戻るか、アプリの運営者にお問い合わせください。',
  appSignOutInvalid: 'アプリから正しくない要求が送信されました。サインインしたままです。',
  appExpired:
    '完了したか、期限が切れたか、別のブラウザーで開始されました。アプリに戻り、もう一度サインインしてください。',
  appOther: 'アプリに戻って、もう一度お試しください。',
  signOutTitle: 'サインアウトしますか？',
  signOutFrom: '{app} から移動しました。',
  signOutAll: 'このブラウザーでこのアカウントを使用しているすべてのアプリからサインアウトします。',
  signOut: 'サインアウト',
  staySignedIn: 'サインインしたままにする',
  deviceTitle: 'デバイスでサインイン',
  deviceEnter: 'デバイスに表示されたコードを入力してください。',
  deviceCode: 'コード',
  deviceUnknown: 'コードが正しくないか、有効期限が切れています。デバイスのコードを確認してください。',
  deviceNext: '次へ',
  deviceSignInTo: '{app} にサインインしますか？',
  deviceUser: '{user} としてサインインしています。',
  deviceOtherUser: '別のアカウントを使用',
  deviceCompare:
    'デバイスにこのコードが表示されていて、そのデバイスで {app} へのサインインをご自身で始めた場合にのみ続行してください。コードやリンクが誰かから送られてきた場合は、キャンセルしてください。',
  deviceGets: '{app} が取得するもの：',
  deviceGetsId: 'ユーザー ID と、サインインした日時および方法',
  deviceGetsProfile: '氏名、ユーザー名、言語',
  deviceGetsEmail: 'メールアドレス',
  deviceGetsPhone: '電話番号',
  deviceGetsAddress: '住所',
  deviceGetsValue: '{what}：{value}',
  deviceGetsGroups: 'グループ',
  deviceGetsPermissions: '権限',
  deviceGetsAttributes: 'その他の情報',
  deviceGetsOrganization: '所属する組織と組織内のロール',
  deviceGetsAudience: 'あなたに代わっての {audience} へのアクセス',
  deviceGetsOffline: 'アカウントページで終了するまでのアクセス',
  requestChanged:
    'このページを開いた後に、リクエストの内容が変わりました。まだ何も実行されていません。もう一度読んでから回答してください。',
  deviceContinue: '続行',
  deviceCancel: 'キャンセル',
  organizationQuestion: '組織を選択',
  organizationFor: '選択した組織のメンバーとして{app}に進みます。',
  consentQuestion: '{app} にアクセスを許可しますか?',
  consentWarning:
    'このアプリは管理者によって登録されていません。ご自身で今起動したアプリで、{app} を信頼できる場合にのみ続行してください。',
  nativeAppWarning:
    'このデバイス上のどのプログラムも {app} を装うことができます。ご自身で今そのアプリでサインインを始めた場合にのみ続行してください。',
  consentAddress: 'アプリのアドレス: {address}',
  consentLeadsTo: '次に {target} へ移動します。',
  deviceDoneTitle: 'デバイスでサインインしました',
  deviceDone: 'デバイスの {app} に戻ってください。このページは閉じてかまいません。',
  deviceDeniedTitle: 'キャンセルしました',
  deviceDenied: 'デバイスの {app} はサインインしていません。このページは閉じてかまいません。',
}
