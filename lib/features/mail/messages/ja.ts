import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  buttonHint: 'ボタンが機能しない場合は、次のアドレスをブラウザーに貼り付けてください。',
  fact: '{label}：{value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'サインイン',
  supportLink: 'サポート',
  privacyLink: 'プライバシー',
  termsLink: '利用規約',

  resetSubject: '{product} の新しいパスワードの設定',
  resetRequested: '{host} のアカウント{username}について、新しいパスワードの設定が申請されました。',
  resetInstruction: '新しいパスワードを設定するには、次のリンクを開いてください。',
  resetButton: '新しいパスワードを設定',
  resetExpiry: 'リンクは 1 回だけ使用でき、{minutes, plural, other {# 分}}後に無効になります。',
  resetIgnore: 'お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。',
  resetLockedSubject: '{product} に再度サインインするには',
  resetLocked:
    '{host} のアカウント{username}に正しいパスワードが入力されましたが、それまでに失敗が多すぎたため、サインインは拒否されました。サインインするには、まず新しいパスワードを設定してください。',
  resetBreached:
    '{host} のアカウント{username}に正しいパスワードが入力されました。このパスワードは別のサービスの情報漏えいに含まれているため、他人に知られている可能性があります。サインインするには、まず新しいパスワードを設定してください。',
  resetLockedWarning:
    'お心当たりがない場合は、パスワードが他人に知られています。すぐに新しいパスワードを設定してください。',

  quoted: '「{text}」',
  confirmationSubject: '{product} のメールアドレスの確認',
  confirmationEntered: 'このアドレスが {host} のアカウント{username}に登録されました。',
  confirmationInstruction: 'ご自身のアカウントの場合は、アドレスを確認してください。',
  confirmationButton: 'アドレスを確認',
  confirmationExpiry: 'リンクは 1 回だけ使用でき、{days, plural, other {# 日}}後に無効になります。',
  confirmationIgnore:
    'ご自身のアカウントでない場合は、リンクを開いて「自分のアカウントではない」を選んでください。アカウントからこのアドレスが削除されます。',

  invitationSubject: '{product} への招待',
  invitationBy: '{inviter}さんから {product} に招待されました。',
  personWithAccount: '{name}（{account}）',
  invitationByNoOne: '{product} に招待されました。',
  invitationAccount: '{host} のアカウント{username}の準備ができました。サインイン方法を選択してください。',
  invitationButton: '招待を承諾',
  invitationExpiry:
    'リンクは 1 回だけ使用でき、{days, plural, other {# 日}}後に無効になります。期限が過ぎた場合は、新しい招待を依頼してください。',
  invitationIgnore:
    '招待にお心当たりがない場合は、このメールを無視してください。リンクを他の人に教えないでください。',

  organizationInvitationSubject: '{product} の{organization}への招待',
  organizationInvitationBy: '{inviter}さんから、{host} の組織{organization}に招待されました。',
  organizationInvitationButton: '招待を見る',
  organizationEndingSubject: '{product} の{organization}は削除されます',
  organizationEndingHeading: '組織が削除されます',
  organizationEndingText:
    'オーナーが、{host} の組織{organization}の削除を申請しました。メンバーシップ、API トークン、企業サインインも終了します。メンバーのアカウントは残ります。',
  organizationEndingDay: '削除日時',
  organizationEndingKeep: 'それまでは、オーナーなら誰でも組織を残すことができます。',
  organizationEndingButton: '設定を見る',
  organizationEndingReason: 'このメールは、組織のオーナーにお送りしています。',

  signUpSubject: '{product} のアカウント作成',
  signUpEntered:
    '{host} でアカウントを作成するために、このアドレスが入力されました。続けるには、次のリンクを開いてください。',
  signUpButton: 'アカウントを作成',
  signUpExpiry: 'リンクは一度だけ有効で、{hours, plural, other {# 時間}}後に期限が切れます。',
  signUpIgnore:
    '心当たりがない場合は、このメールを無視してください。リンクを開かない限り、アカウントは作成されません。',
  signUpKnownSubject: '{product} のアカウントは既にあります',
  signUpKnown:
    '{host} でアカウントを作成するために、このアドレスが入力されました。このアドレスのアカウントは既にあります。',
  signUpKnownInstruction:
    'このアドレスでサインインしてください。パスワードを忘れた場合は、そこで新しいパスワードを設定できます。',
  signUpKnownIgnore: '心当たりがない場合は、このメールを無視してかまいません。変更は何もありません。',
  signUpWaitingSubject: '{product} のアカウントの承認待ちがあります',
  signUpWaiting: '{person}が {host} のアカウントを希望し、このアドレスを確認しました。',
  signUpWaitingButton: '申請を確認',
  signUpWaitingReason: '登録ポリシーに指定されているため、このメールをお送りしています。',

  codeSubject: '{product} のサインインコード',
  codeInstruction: '次のコードを使用して、{host} のアカウント{username}にサインインしてください。',
  codePlace: 'コードをリクエストしたページに入力してください。ほかの場所では使用できません。',
  codeExpiry: 'コードは 1 回だけ使用でき、{minutes, plural, other {# 分}}後に無効になります。',
  codeOrigin: 'リクエスト元のアドレスは {address} です。',
  codeIgnore: 'お心当たりがない場合は、このメールを無視し、コードを誰にも教えないでください。',
  joinCodeSubject: '{product} の{organization}に参加するためのコード',
  joinCodeInstruction:
    '次のコードを使用して、アカウント{username}で {host} の組織{organization}に参加してください。',

  linkSubject: '{name}（{product} 経由）：{subject}',
  linkHeading: '{name}さんがコンテンツを共有しました',
  linkHeadingObject: '{name}さんが{object}を共有しました',
  linkHeadingCount: '{name}さんが {count, plural, other {# 個}}のアイテムを共有しました',
  linkBehalf: '{host} にアカウントを持つ{account}さんの代理で送信しています。',
  linkQuote: '{name}さんからのメッセージ：',
  linkButton: 'リンクを開く',
  linkPassword:
    'リンクはパスワードで保護されています。パスワードはこのメールには記載されていません。{name}さんにお尋ねください。',
  linkSignIn: 'リンクを開くにはサインインが必要です。',
  linkSharing: 'このリンクを知っている人は誰でも開くことができます。リンクを他の人に教えないでください。',
  linkSharingWithPassword:
    'このリンクとパスワードを知っている人は誰でも開くことができます。どちらも他の人に教えないでください。',
  linkViews: '{count, plural, other {# 回}}まで開くことができます。',
  linkExpiry: '有効期限は {time} です。',
  linkIgnore: '{name}さんをご存じでない場合や、このメールにお心当たりがない場合は、無視してください。',

  certificateExpiresSubject: 'SAML 証明書の有効期限まであと {days, plural, other {# 日}}です',
  certificateExpiredSubject: 'SAML 証明書の有効期限が切れました',
  certificateExpires:
    '{host} の SAML プロバイダー{provider}（ID {id}）の証明書は、{time} に有効期限が切れます。証明書を更新しないと、このプロバイダーでサインインできなくなる可能性があります。',
  certificateExpired:
    '{host} の SAML プロバイダー{provider}（ID {id}）の証明書は、{time} に有効期限が切れました。証明書を更新しないと、このプロバイダーでサインインできなくなる可能性があります。',
  certificateOfProvider:
    'これは ID プロバイダーの証明書です。プロバイダーが新しい証明書を用意したら、管理画面でプロバイダーを開き、メタデータを更新してください。メタデータのアドレスが登録されている場合は、毎日自動的に更新されます。',
  certificateOfService:
    'これはこのサービスの証明書です。管理画面でプロバイダーを開き、新しい鍵を公開してください。ID プロバイダーがメタデータを再度読み込んだら、同じ画面で新しい鍵に切り替えてください。',
  certificateButton: 'プロバイダーを開く',
  certificateReason: '管理者には、証明書の有効期限の 60 日前、30 日前、7 日前にこのメールが届きます。',

  setupMetadataSubject: '{provider}のメタデータが送信されました',
  setupLiveSubject: '{provider}の利用が始まりました',
  setupMetadata:
    'あなたの設定リンクを持つ人が、{host} の{provider}（ID {id}）に ID プロバイダーのメタデータを送信しました。',
  setupLive:
    '{host} の接続{provider}（ID {id}）の利用が始まりました。この ID プロバイダーでサインインできます。',
  setupEntityId: 'エンティティ ID',
  setupSource: 'メタデータ',
  setupPasted: '貼り付け',
  setupFingerprint: 'SHA-256',
  setupDomain: 'ドメイン',
  setupCompare:
    '各証明書の持ち主は、この会社の人としてサインインできます。証明書をお客様と照合してください。その際、メールは使わないでください。誤りがあれば、接続を削除してください。',
  setupProposal: 'このアドレスのメタデータは、管理画面でアドレスを選ぶまで再び読み込まれません。',
  setupReason: '設定リンクを作成したため、このメールが届いています。',

  noticeAccount: 'アカウント',
  noticeAccountValue: '{username}（{host}）',
  noticeTime: '日時',
  noticeFrom: '操作元',
  noticeFromValue: '{address}、{device}',
  noticeBy: '操作者',
  noticeByAdministrator: '管理者',
  noticeQuestion:
    'ご自身の操作の場合は、このメールを無視してください。お心当たりがない場合は、次のリンクを開いてください。',
  noticeButton: '自分の操作ではない',
  noticePage: '何かが変更される前に、ページで内容をご説明します。',
  noticeExpiry: 'リンクは {days, plural, other {# 日}}後に無効になります。',
  noticeAskAdministrator: 'お心当たりがない場合は、管理者にお問い合わせください。',
  noticeReason: 'このメールはアカウントを保護するためのもので、配信を停止することはできません。',
  deviceWithBrowser: '{system} の {browser}',
  deviceWithoutBrowser: '{system} の不明なプログラム',
  deviceUnknown: '不明なプログラム',

  passwordChangedSubject: 'パスワードが変更されました',
  passwordChangedText: 'アカウントのパスワードが変更されました。ほかのセッションはすべて終了しました。',
  passwordResetSubject: 'パスワードがリセットされました',
  passwordResetText:
    'リセット用のリンクから新しいパスワードが設定されました。セッションはすべて終了しました。',
  passwordSetSubject: '管理者が新しいパスワードを設定しました',
  passwordSetText: '管理者がアカウントに新しいパスワードを設定しました。セッションはすべて終了しました。',
  emailChangedSubject: 'メールアドレスが変更されました',
  emailChangedText:
    'アカウントのメールアドレスが別のアドレスに変更されました。今後、アカウントのメールはこのアドレスには届きません。',
  emailMovedSubject: 'メールアドレスが別のアカウントに移りました',
  emailMovedText:
    'お客様の会社が、このメールアドレスの方をサインインさせました。このアドレスはそのアカウントのものとなり、下記のアカウントからは外れました。アカウントのその他の内容は変わらず、これまでどおりサインインできます。両方ともご自身のアカウントである場合は、管理者に統合を依頼してください。',
  secondFactorEnabledSubject: '2 段階認証が有効になりました',
  secondFactorEnabledText: 'サインインには、認証アプリのコードも必要になりました。',
  secondFactorDisabledSubject: '2 段階認証が無効になりました',
  secondFactorDisabledText: 'サインインに認証アプリのコードは不要になりました。',
  recoveryCodeUsedSubject: '回復コードが使用されました',
  recoveryCodeUsedText:
    '認証アプリのコードの代わりに回復コードが使用されました。この回復コードは再度使用できません。',
  recoveryCodesRenewedSubject: '回復コードが新しくなりました',
  recoveryCodesRenewedText: 'アカウントの回復コードが新しくなりました。以前のコードは使用できません。',
  deviceRememberedSubject: 'ブラウザーが記憶されました',
  deviceRememberedText:
    '第 2 要素を使用したブラウザーでは、一定の期間、パスワードでのサインインに第 2 要素を求めません。',
  rememberedDeviceReusedSubject: '記憶されたブラウザーが取り消されました',
  rememberedDeviceReusedText:
    'あなたのパスワードを知る人が、記憶されたブラウザーのデータの古い複製を使用しました。このブラウザーの記憶は取り消されました。お心当たりがない場合は、パスワードを変更してください。',
  passkeyAddedSubject: 'パスキーが追加されました',
  passkeyAddedText: 'アカウントにパスキーが追加されました。このパスキーでサインインできます。',
  passkeyRemovedSubject: 'パスキーが削除されました',
  passkeyRemovedText:
    'アカウントのパスキーが削除されました。このパスキーではサインインできなくなり、ほかのセッションは終了しました。',
  passkeyClonedSubject: 'パスキーが拒否されました',
  passkeyClonedText:
    '複製が存在する可能性があるため、アカウントのパスキーが拒否されました。お心当たりがない場合は、このパスキーを削除してください。',
  passkeyRequiredSubject: 'パスワードに加えてパスキーが必要になりました',
  passkeyRequiredText: 'パスワードでのサインインには、パスキーも必要になりました。',
  passkeyOptionalSubject: 'パスワードに加えてのパスキーは不要になりました',
  passkeyOptionalText: 'パスワードでのサインインに、パスキーは不要になりました。',
  apiTokenCreatedSubject: 'API トークンが作成されました',
  apiTokenCreatedText:
    'アカウントに新しい API トークンが作成されました。プログラムはこのトークンを使用して、お客様の権限で操作できます。',
  apiTokenRevokedSubject: '管理者が API トークンを削除しました',
  apiTokenRevokedText:
    '管理者がアカウントの API トークンを削除しました。このトークンは使用できません。プログラムで使用していた場合は、新しいトークンを作成する前に、管理者に理由をお尋ねください。',
  companyAccountLinkedSubject: '別のアカウントが連携されました',
  companyAccountLinkedText:
    'ID プロバイダーのアカウントがお客様のアカウントに連携されました。このアカウントでサインインできます。',
  companyAccountUnlinkedSubject: 'アカウントの連携が解除されました',
  companyAccountUnlinkedText:
    'ID プロバイダーのアカウントとの連携が解除されました。このアカウントではサインインできなくなり、ほかのセッションは終了しました。',
  signInByCompanySubject: '会社のサインインを使うようになりました',
  signInByCompanyText:
    'アカウントに会社のメールアドレスがあるため、会社のサインインと連携されました。パスワード、認証アプリ、パスキー、API トークン、ほかの連携アカウントなど、これまでのサインイン方法はすべて終了しました。必要なものは、会社からサインインして追加し直してください。',
  credentialLeakedSubject: '認証情報が漏えいしました',
  credentialLeakedText:
    'アカウントのセッション、API トークン、またはリンクが、他の人が読める場所で見つかりました。これは無効にされ、使用できません。プログラムで使用していた場合は、新しく作成してください。公開されていた場所からは、古いものを削除してください。',
  signInLockedSubject: 'サインインの失敗が多すぎます',
  signInLockedText:
    'アカウントへのサインインが 100 回連続で失敗しました。以前に使用したブラウザーやネットワークからは引き続きサインインできます。ほかの場所からサインインするには、パスワードをリセットしてください。',
  emailRestoredSubject: 'メールアドレスがアカウントから削除されました',
  emailRestoredText:
    'アカウントのメールアドレスが以前のものに戻りました。以前のアドレスを利用できる方から、変更した覚えがないと報告がありました。誤りの場合は、管理者にお問い合わせください。',
  administratorAddedSubject: '新しい管理者が追加されました',
  administratorAddedText:
    'アカウントに管理者権限が付与されました。このユーザーは、ここですべての操作ができます。',
  administratorGroupChangedSubject: '管理者のグループが変更されました',
  administratorGroupChangedText:
    'グループに管理者権限が付与されたか、管理者権限のあるグループにメンバーが追加されました。メンバーは、ここですべての操作ができます。',
  administratorSignInSetSubject: '管理者のサインイン方法が変更されました',
  administratorSignInSetText:
    '管理者のパスワード、メールアドレス、またはその他のサインイン方法が、本人以外によって変更されました。',
  accountDeletionRequestedSubject: 'アカウントの削除が申請されました',
  accountDeletionRequestedText:
    'お客様のアカウントにサインインした人が、アカウントの削除を申請しました。削除されるまでは、アカウントのページで申請を取り消すことができます。',
  accountDeletionWithdrawnSubject: 'アカウントの削除の申請が取り消されました',
  accountDeletionWithdrawnText:
    'アカウントにログインしている人が、削除の申請を取り消しました。アカウントは残ります。削除を希望する場合は、アカウントのページでもう一度申請してください。',
  accountDeletionAskedSubject: 'ユーザーがアカウントの削除を申請しました',
  accountDeletionAskedText: 'ユーザーが退会を希望しています。このサービスでは管理者が決定します。',
  accountDeletionAskedAct:
    'ユーザーは自分だけでアカウントを削除できません。管理画面で削除するか、不明な点があればユーザーに確認してください。',
  accountDeletionAskedButton: 'ユーザーを開く',
  administratorNoticeGroup: 'グループ',
  administratorNoticeAct:
    'お心当たりがない場合は、監査ログを確認し、操作した人のセッションを終了してください。',
  administratorNoticeButton: '監査ログを開く',
  administratorNoticeReason:
    'このメールはサービスを保護するためのもので、管理者が配信を停止することはできません。',
  organizationOwnerAddedSubject: '組織に新しいオーナーが追加されました',
  organizationOwnerAddedText: '組織に新しいオーナーがいます。オーナーは組織内のすべての操作ができます。',
  organizationTokenCreatedSubject: '組織のAPI トークンが作成されました',
  organizationTokenCreatedText:
    '組織に新しいAPI トークンがあります。プログラムはこれを使い、作成者が組織を離れた後も組織として動作します。',
  organizationSignInAddedSubject: '組織に会社のサインインが追加されました',
  organizationSignInAddedText:
    '組織に、IDプロバイダーへの新しい接続があります。有効になると、この接続を通じて人がメンバーになれます。',
  organizationDomainProvenSubject: '組織のドメインが確認されました',
  organizationDomainProvenText:
    '組織に、確認済みの新しいドメインがあります。このドメインのアドレスを持つ人は、会社のサインインを利用できます。',
  organizationRolesReportedSubject: 'アカウントの乗っ取りが報告されました',
  organizationRolesReportedText:
    '組織の誰かが、アカウントの変更は自分によるものではないと報告しました。それ以降に作られたAPI トークンと未承諾の招待は終了しました。それ以降、このアカウントは次のメンバーにロールを与えています。ロールは、変更するまでそのまま残ります。',
  directoryOwnerKeptSubject: '組織の最後のオーナーがディレクトリから外れました',
  directoryOwnerKeptText:
    '組織のディレクトリが最後のオーナーを終了しました。そのセッションとサインインは終了しています。別のオーナーが決まるまでメンバーシップは残ります。ほかのメンバーをオーナーにしてください。その後、ディレクトリの次のリクエストでメンバーシップが終了します。',
  directoryPeopleLeftSubject: '多くの人が接続のディレクトリから外れました',
  directoryPeopleLeftText:
    '接続のディレクトリが、10分以内に50人を超え、全体の5分の1を超える人を終了しました。これらの人のアクセスは終了しています。誤りの場合は、接続のページでディレクトリを停止し、そこで元に戻してください。',
  signInHookFailedSubject: '製品の関数が失敗しているため、誰もサインインできません',
  signInHookFailedText:
    'このサービスはサインインのたびに製品の関数に問い合わせますが、使える応答がありません。管理者だけが、パスキーまたは2つ目の要素でサインインできます。以下のアカウントがそのようにサインインしました。関数を修復するか、サービスの設定でフックをオフにしてください。',
  directoryPeopleLeftButton: '接続を見る',
  ownerNoticeOrganization: '組織',
  ownerNoticeConcerns: '対象',
  ownerNoticeRoles: '与えられたロール',
  ownerNoticeAct: '心当たりがない場合は、内容を確認して終了してください。',
  ownerNoticeButton: '組織を見る',
  signInEndedSubject: 'サインイン方法をもう一度設定してください',
  signInEndedText:
    'アカウントに新しい権限が付与されました。以前にサインイン方法を決めた人、または会社のサインインには、この権限がありません。そのため、設定されていた方法は使えなくなりました。新しいパスワードを設定するリンクが届くか、管理者がご案内します。その後、アカウントページで会社のアカウントを再び連携できます。',
  newDeviceSubject: 'アカウントへの新しいサインイン',
  newDeviceText: 'これまで使用されていないデバイスから、アカウントへのサインインがありました。',
}
