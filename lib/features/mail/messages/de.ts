import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  buttonHint: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Anmelden',
  supportLink: 'Hilfe',
  privacyLink: 'Datenschutz',
  termsLink: 'Nutzungsbedingungen',

  resetSubject: 'Neues Passwort für {product} festlegen',
  resetRequested: 'Für das Konto {username} bei {host} wurde ein neues Passwort angefordert.',
  resetInstruction: 'Öffnen Sie diesen Link, um ein neues Passwort festzulegen:',
  resetButton: 'Neues Passwort festlegen',
  resetExpiry:
    'Der Link funktioniert einmal und läuft in {minutes, plural, one {# Minute} other {# Minuten}} ab.',
  resetIgnore:
    'Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
  resetLockedSubject: 'Wieder bei {product} anmelden',
  resetLocked:
    'Für das Konto {username} bei {host} wurde das richtige Passwort eingegeben. Die Anmeldung wurde abgelehnt, weil zuvor zu viele Versuche fehlgeschlagen sind. Legen Sie zuerst ein neues Passwort fest, um sich anzumelden.',
  resetBreached:
    'Für das Konto {username} bei {host} wurde das richtige Passwort eingegeben. Dieses Passwort ist bei einem Datenleck eines anderen Dienstes bekannt geworden. Legen Sie zuerst ein neues Passwort fest, um sich anzumelden.',
  resetLockedWarning: 'Falls Sie das nicht waren, kennt jemand Ihr Passwort. Legen Sie jetzt ein neues fest.',

  quoted: '„{text}“',
  confirmationSubject: 'Bestätigen Sie Ihre E-Mail-Adresse für {product}',
  confirmationEntered: 'Diese Adresse wurde für das Konto {username} bei {host} angegeben.',
  confirmationInstruction: 'Wenn das Ihr Konto ist, bestätigen Sie die Adresse:',
  confirmationButton: 'Adresse bestätigen',
  confirmationExpiry:
    'Der Link funktioniert einmal und läuft in {days, plural, one {# Tag} other {# Tagen}} ab.',
  confirmationIgnore:
    'Wenn das nicht Ihr Konto ist, öffnen Sie den Link und wählen Sie „Das ist nicht mein Konto“. Das Konto verliert die Adresse dann.',

  invitationSubject: 'Sie wurden zu {product} eingeladen',
  invitationBy: '{inviter} hat Sie zu {product} eingeladen.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Sie wurden zu {product} eingeladen.',
  invitationAccount: 'Ihr Konto {username} bei {host} ist bereit. Wählen Sie, wie Sie sich anmelden möchten:',
  invitationButton: 'Einladung annehmen',
  invitationExpiry:
    'Der Link funktioniert einmal und läuft in {days, plural, one {# Tag} other {# Tagen}} ab. Bitten Sie danach um eine neue Einladung.',
  invitationIgnore:
    'Falls Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren. Geben Sie den Link nicht weiter.',

  organizationInvitationSubject: 'Einladung zu {organization} bei {product}',
  organizationInvitationBy: '{inviter} hat Sie in die Organisation {organization} bei {host} eingeladen.',
  organizationInvitationButton: 'Einladung ansehen',
  organizationEndingSubject: '{organization} bei {product} wird gelöscht',
  organizationEndingHeading: 'Ihre Organisation wird gelöscht',
  organizationEndingText:
    'Ein Inhaber hat beantragt, die Organisation {organization} bei {host} zu löschen. Damit enden ihre Mitgliedschaften, ihre API-Tokens und ihre Firmenanmeldung. Die Konten der Mitglieder bleiben.',
  organizationEndingDay: 'Löschung',
  organizationEndingKeep: 'Bis dahin können Sie die Organisation behalten.',
  organizationEndingButton: 'Einstellungen ansehen',
  organizationEndingReason: 'Sie erhalten diese E-Mail, weil Sie Inhaber der Organisation sind.',

  signUpSubject: 'Ihr Konto für {product} erstellen',
  signUpEntered:
    'Diese Adresse wurde eingegeben, um ein Konto bei {host} zu erstellen. Öffnen Sie dazu diesen Link:',
  signUpButton: 'Konto erstellen',
  signUpExpiry:
    'Der Link funktioniert einmal und läuft in {hours, plural, one {# Stunde} other {# Stunden}} ab.',
  signUpIgnore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ohne den Link entsteht kein Konto.',
  signUpKnownSubject: 'Sie haben bereits ein Konto für {product}',
  signUpKnown:
    'Diese Adresse wurde eingegeben, um ein Konto bei {host} zu erstellen. Sie haben damit bereits ein Konto.',
  signUpKnownInstruction:
    'Melden Sie sich mit dieser Adresse an. Wenn Sie Ihr Passwort vergessen haben, wählen Sie dort ein neues:',
  signUpKnownIgnore:
    'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Es hat sich nichts geändert.',
  signUpWaitingSubject: 'Jemand wartet auf ein Konto für {product}',
  signUpWaiting: '{person} möchte ein Konto bei {host} und hat diese Adresse bestätigt.',
  signUpWaitingButton: 'Über die Anfrage entscheiden',
  signUpWaitingReason: 'Sie erhalten diese E-Mail, weil die Registrierungsrichtlinie Sie nennt.',

  codeSubject: 'Ihr Anmeldecode für {product}',
  codeInstruction: 'Melden Sie sich mit diesem Code beim Konto {username} bei {host} an:',
  codePlace: 'Geben Sie ihn auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt nur dort.',
  codeExpiry:
    'Der Code funktioniert einmal und läuft in {minutes, plural, one {# Minute} other {# Minuten}} ab.',
  codeOrigin: 'Er wurde von der Adresse {address} angefordert.',
  codeIgnore: 'Falls Sie das nicht waren, ignorieren Sie diese E-Mail und geben Sie den Code nicht weiter.',
  joinCodeSubject: 'Ihr Beitrittscode für {organization} bei {product}',
  joinCodeInstruction:
    'Treten Sie mit diesem Code und dem Konto {username} der Organisation {organization} bei {host} bei:',

  linkSubject: '{name} (über {product}): {subject}',
  linkHeading: '{name} hat etwas mit Ihnen geteilt',
  linkHeadingObject: '{name} hat {object} mit Ihnen geteilt',
  linkHeadingCount: '{name} hat {count, plural, one {# Element} other {# Elemente}} mit Ihnen geteilt',
  linkBehalf: 'Gesendet im Auftrag von {account} mit einem Konto bei {host}.',
  linkQuote: '{name} schreibt:',
  linkButton: 'Link öffnen',
  linkPassword:
    'Er ist durch ein Passwort geschützt, das nicht in dieser E-Mail steht. Fragen Sie {name} danach.',
  linkSignIn: 'Zum Öffnen müssen Sie sich anmelden.',
  linkSharing: 'Alle, die diesen Link haben, können ihn öffnen. Geben Sie ihn nicht weiter.',
  linkSharingWithPassword:
    'Alle, die diesen Link und das Passwort haben, können ihn öffnen. Geben Sie beides nicht weiter.',
  linkViews: 'Er kann {count, plural, one {einmal} other {#-mal}} geöffnet werden.',
  linkExpiry: 'Er funktioniert bis {time}.',
  linkIgnore:
    'Wenn Sie {name} nicht kennen oder diese E-Mail nicht erwartet haben, können Sie sie ignorieren.',

  certificateExpiresSubject:
    'Ein SAML-Zertifikat läuft in {days, plural, one {einem Tag} other {# Tagen}} ab',
  certificateExpiredSubject: 'Ein SAML-Zertifikat ist abgelaufen',
  certificateExpires:
    'Ein Zertifikat für den SAML-Anbieter {provider} (ID {id}) bei {host} läuft am {time} ab. Wird es nicht ersetzt, funktioniert die Anmeldung über diesen Anbieter möglicherweise nicht mehr.',
  certificateExpired:
    'Ein Zertifikat für den SAML-Anbieter {provider} (ID {id}) bei {host} ist am {time} abgelaufen. Wird es nicht ersetzt, funktioniert die Anmeldung über diesen Anbieter möglicherweise nicht mehr.',
  certificateOfProvider:
    'Das Zertifikat gehört dem Identitätsanbieter. Sobald er ein neues hat, öffnen Sie den Anbieter in der Verwaltung und aktualisieren Sie seine Metadaten. Haben die Metadaten eine Adresse, geschieht das jeden Tag automatisch.',
  certificateOfService:
    'Das Zertifikat gehört diesem Dienst. Öffnen Sie den Anbieter in der Verwaltung und veröffentlichen Sie einen neuen Schlüssel. Sobald der Identitätsanbieter die Metadaten erneut gelesen hat, wechseln Sie dort zum neuen Schlüssel.',
  certificateButton: 'Anbieter öffnen',
  certificateReason: 'Administratoren erhalten diese E-Mail 60, 30 und 7 Tage vor Ablauf eines Zertifikats.',

  setupMetadataSubject: 'Metadaten für {provider} wurden gesendet',
  setupLiveSubject: '{provider} ist in Betrieb',
  setupMetadata:
    'Jemand mit Ihrem Einrichtungslink hat die Metadaten eines Identitätsanbieters für {provider} (ID {id}) bei {host} gesendet.',
  setupLive:
    'Die Verbindung {provider} (ID {id}) bei {host} ist in Betrieb. Die Anmeldung läuft jetzt über diesen Identitätsanbieter.',
  setupEntityId: 'Entity-ID',
  setupSource: 'Metadaten',
  setupPasted: 'eingefügt',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Domain',
  setupCompare:
    'Wer ein Zertifikat besitzt, kann sich als die Personen des Unternehmens anmelden. Vergleichen Sie die Zertifikate mit dem Kunden, und nicht per E-Mail. Ist eines falsch, löschen Sie die Verbindung.',
  setupProposal:
    'Die Metadaten unter dieser Adresse werden erst wieder gelesen, wenn Sie die Adresse in der Verwaltung auswählen.',
  setupReason: 'Sie erhalten diese E-Mail, weil Sie den Einrichtungslink erstellt haben.',

  noticeAccount: 'Konto',
  noticeAccountValue: '{username} bei {host}',
  noticeTime: 'Zeitpunkt',
  noticeFrom: 'Von',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Durch',
  noticeByAdministrator: 'einen Administrator',
  noticeQuestion:
    'Wenn Sie das waren, können Sie diese E-Mail ignorieren. Wenn Sie es nicht waren, öffnen Sie diesen Link:',
  noticeButton: 'Das war ich nicht',
  noticePage: 'Die Seite erklärt, was geschieht, bevor sich etwas ändert.',
  noticeExpiry: 'Der Link läuft in {days, plural, one {# Tag} other {# Tagen}} ab.',
  noticeAskAdministrator: 'Wenn Sie das nicht erwartet haben, fragen Sie Ihren Administrator.',
  noticeReason: 'Diese E-Mails lassen sich nicht abbestellen, weil sie Ihr Konto schützen.',
  deviceWithBrowser: '{browser} unter {system}',
  deviceWithoutBrowser: 'ein unbekanntes Programm unter {system}',
  deviceUnknown: 'ein unbekanntes Programm',

  passwordChangedSubject: 'Ihr Passwort wurde geändert',
  passwordChangedText: 'Das Passwort Ihres Kontos wurde geändert. Alle anderen Sitzungen wurden beendet.',
  passwordResetSubject: 'Ihr Passwort wurde zurückgesetzt',
  passwordResetText:
    'Über einen Link zum Zurücksetzen wurde ein neues Passwort festgelegt. Alle Sitzungen wurden beendet.',
  passwordSetSubject: 'Ein Administrator hat ein neues Passwort für Sie festgelegt',
  passwordSetText:
    'Ein Administrator hat ein neues Passwort für Ihr Konto festgelegt. Alle Sitzungen wurden beendet.',
  emailChangedSubject: 'Ihre E-Mail-Adresse wurde geändert',
  emailChangedText:
    'Ihr Konto hat jetzt eine andere E-Mail-Adresse. An diese Adresse werden keine E-Mails Ihres Kontos mehr gesendet.',
  emailMovedSubject: 'Ihre E-Mail-Adresse gehört jetzt zu einem anderen Konto',
  emailMovedText:
    'Ihr Unternehmen hat jemanden mit dieser Adresse angemeldet. Die Adresse gehört nun zu dessen Konto, und das unten genannte Konto hat sie nicht mehr. Sonst bleibt in dem Konto alles, wie es ist, und Sie melden sich weiterhin wie bisher an. Wenn beide Konten Ihre sind, bitten Sie einen Administrator, sie zusammenzuführen.',
  secondFactorEnabledSubject: 'Ihr zweiter Faktor wurde eingeschaltet',
  secondFactorEnabledText:
    'Für die Anmeldung wird jetzt zusätzlich ein Code aus einer Authenticator-App benötigt.',
  secondFactorDisabledSubject: 'Ihr zweiter Faktor wurde ausgeschaltet',
  secondFactorDisabledText: 'Für die Anmeldung wird kein Code aus einer Authenticator-App mehr benötigt.',
  recoveryCodeUsedSubject: 'Ein Wiederherstellungscode wurde verwendet',
  recoveryCodeUsedText:
    'Statt des Codes aus Ihrer Authenticator-App wurde ein Wiederherstellungscode verwendet. Er funktioniert kein zweites Mal.',
  recoveryCodesRenewedSubject: 'Ihre Wiederherstellungscodes wurden ersetzt',
  recoveryCodesRenewedText:
    'Ihr Konto hat neue Wiederherstellungscodes. Die bisherigen Codes funktionieren nicht mehr.',
  deviceRememberedSubject: 'Ein Browser wurde gemerkt',
  deviceRememberedText:
    'Bei Anmeldungen mit Ihrem Passwort wird in einem Browser, in dem der zweite Faktor bestätigt wurde, für begrenzte Zeit nicht mehr danach gefragt.',
  rememberedDeviceReusedSubject: 'Ein gemerkter Browser wurde entfernt',
  rememberedDeviceReusedText:
    'Jemand, der Ihr Passwort kannte, hat eine alte Kopie der Daten eines gemerkten Browsers verwendet. Der Browser ist nicht mehr gemerkt. Ändern Sie Ihr Passwort, wenn Sie den Grund nicht kennen.',
  passkeyAddedSubject: 'Ein Passkey wurde hinzugefügt',
  passkeyAddedText:
    'Ihrem Konto wurde ein Passkey hinzugefügt. Er kann jetzt zur Anmeldung verwendet werden.',
  passkeyRemovedSubject: 'Ein Passkey wurde entfernt',
  passkeyRemovedText:
    'Ein Passkey Ihres Kontos wurde entfernt. Er funktioniert nicht mehr zur Anmeldung, und andere Sitzungen wurden beendet.',
  passkeyClonedSubject: 'Ein Passkey wurde abgelehnt',
  passkeyClonedText:
    'Ein Passkey Ihres Kontos wurde abgelehnt, weil möglicherweise eine Kopie davon existiert. Entfernen Sie diesen Passkey, wenn Sie den Grund nicht kennen.',
  passkeyRequiredSubject: 'Ihr Passwort erfordert jetzt einen Passkey',
  passkeyRequiredText: 'Für die Anmeldung mit Ihrem Passwort wird jetzt zusätzlich ein Passkey benötigt.',
  passkeyOptionalSubject: 'Ihr Passwort erfordert keinen Passkey mehr',
  passkeyOptionalText: 'Für die Anmeldung mit Ihrem Passwort wird kein Passkey mehr benötigt.',
  apiTokenCreatedSubject: 'Ein API-Token wurde erstellt',
  apiTokenCreatedText:
    'Für Ihr Konto wurde ein neues API-Token erstellt. Programme können damit mit Ihren Berechtigungen handeln.',
  apiTokenRevokedSubject: 'Ein Administrator hat ein API-Token von Ihnen gelöscht',
  apiTokenRevokedText:
    'Ein Administrator hat ein API-Token Ihres Kontos gelöscht. Es funktioniert nicht mehr. Falls ein Programm es verwendet hat, fragen Sie den Administrator nach dem Grund, bevor Sie ein neues erstellen.',
  companyAccountLinkedSubject: 'Ein weiteres Konto wurde mit Ihrem verknüpft',
  companyAccountLinkedText:
    'Ein Konto bei einem Identitätsanbieter wurde mit Ihrem Konto verknüpft. Es kann jetzt zur Anmeldung verwendet werden.',
  companyAccountUnlinkedSubject: 'Ein verknüpftes Konto wurde entfernt',
  companyAccountUnlinkedText:
    'Die Verknüpfung Ihres Kontos mit einem Konto bei einem Identitätsanbieter wurde entfernt. Damit ist keine Anmeldung mehr möglich, und andere Sitzungen wurden beendet.',
  signInByCompanySubject: 'Ihr Unternehmen meldet Sie jetzt an',
  signInByCompanyText:
    'Ihr Konto wurde mit der Anmeldung Ihres Unternehmens verbunden, weil es Ihre E-Mail-Adresse dort hat. Alle anderen Arten der Anmeldung wurden beendet: Passwort, Authenticator-App, Passkeys, API-Tokens und andere verbundene Konten. Melden Sie sich über Ihr Unternehmen an, um hinzuzufügen, was Sie wieder brauchen.',
  credentialLeakedSubject: 'Zugangsdaten von Ihnen wurden öffentlich',
  credentialLeakedText:
    'Eine Sitzung, ein API-Token oder ein Link Ihres Kontos wurde an einem Ort gefunden, an dem andere mitlesen können. Der Zugang wurde beendet und funktioniert nicht mehr. Falls ein Programm ihn verwendet hat, erstellen Sie einen neuen. Entfernen Sie den alten von dort, wo er veröffentlicht wurde.',
  signInLockedSubject: 'Zu viele fehlgeschlagene Anmeldeversuche bei Ihrem Konto',
  signInLockedText:
    'Bei Ihrem Konto sind 100 Anmeldeversuche in Folge fehlgeschlagen. Mit Browsern und aus Netzwerken, die Sie bereits verwendet haben, können Sie sich weiterhin anmelden. Um sich von anderswo anzumelden, setzen Sie Ihr Passwort zurück.',
  emailRestoredSubject: 'Ihre E-Mail-Adresse wurde aus einem Konto entfernt',
  emailRestoredText:
    'Das Konto hat wieder seine vorherige E-Mail-Adresse. Jemand mit Zugriff auf diese Adresse hat gemeldet, dass die Änderung nicht gewollt war. Wenn das falsch war, fragen Sie einen Administrator.',
  administratorAddedSubject: 'Ein neuer Administrator wurde hinzugefügt',
  administratorAddedText:
    'Ein Konto hat Verwaltungsrechte erhalten. Sein Benutzer kann hier jetzt alles tun.',
  administratorGroupChangedSubject: 'Eine Gruppe von Administratoren wurde geändert',
  administratorGroupChangedText:
    'Eine Gruppe hat Verwaltungsrechte erhalten, oder eine Gruppe mit diesen Rechten hat neue Mitglieder. Die Mitglieder können hier jetzt alles tun.',
  administratorSignInSetSubject: 'Die Anmeldung eines Administrators wurde geändert',
  administratorSignInSetText:
    'Jemand anderes hat das Passwort, die E-Mail-Adresse oder einen anderen Anmeldeweg eines Administrators geändert.',
  accountDeletionRequestedSubject: 'Die Löschung Ihres Kontos wurde beantragt',
  accountDeletionRequestedText:
    'Jemand, der in Ihrem Konto angemeldet ist, hat die Löschung des Kontos beantragt. Bis dahin können Sie den Antrag auf der Seite Ihres Kontos zurückziehen.',
  accountDeletionWithdrawnSubject: 'Die Löschung Ihres Kontos wurde zurückgezogen',
  accountDeletionWithdrawnText:
    'Jemand, der in Ihrem Konto angemeldet ist, hat den Antrag auf Löschung zurückgezogen. Das Konto bleibt bestehen. Wenn es weiterhin gelöscht werden soll, beantragen Sie das auf der Seite Ihres Kontos erneut.',
  accountDeletionAskedSubject: 'Ein Benutzer bittet um die Löschung seines Kontos',
  accountDeletionAskedText:
    'Ein Benutzer möchte gehen, und bei diesem Dienst entscheiden darüber Administratoren.',
  accountDeletionAskedAct:
    'Der Benutzer kann das Konto nicht allein löschen. Löschen Sie es in der Verwaltung, oder fragen Sie den Benutzer, wenn etwas unklar ist.',
  accountDeletionAskedButton: 'Benutzer öffnen',
  administratorNoticeGroup: 'Gruppe',
  administratorNoticeAct:
    'Wenn Sie das nicht erwartet haben, sehen Sie im Audit-Protokoll nach und beenden Sie die Sitzungen der Person, die es getan hat.',
  administratorNoticeButton: 'Audit-Protokoll öffnen',
  administratorNoticeReason:
    'Administratoren können diese E-Mails nicht abbestellen, weil sie den Dienst schützen.',
  organizationOwnerAddedSubject: 'Eine Organisation hat eine neue Person mit Eigentümerrolle',
  organizationOwnerAddedText:
    'Eine Organisation hat eine neue Person mit Eigentümerrolle. Sie kann darin alles tun.',
  organizationTokenCreatedSubject: 'Ein API-Token einer Organisation wurde erstellt',
  organizationTokenCreatedText:
    'Eine Organisation hat ein neues API-Token. Programme handeln damit für die Organisation, auch wenn die Person, die es erstellt hat, nicht mehr dabei ist.',
  organizationSignInAddedSubject: 'Einer Organisation wurde eine Firmenanmeldung hinzugefügt',
  organizationSignInAddedText:
    'Eine Organisation hat eine neue Verbindung zu einem Identitätsanbieter. Sobald sie funktioniert, können Personen darüber Mitglied werden.',
  organizationDomainProvenSubject: 'Eine Domain einer Organisation wurde nachgewiesen',
  organizationDomainProvenText:
    'Eine Organisation hat eine neue nachgewiesene Domain. Personen mit Adressen dieser Domain können sich über die Firmenanmeldung anmelden.',
  organizationRolesReportedSubject: 'Jemand hat den Diebstahl des eigenen Kontos gemeldet',
  organizationRolesReportedText:
    'Jemand in einer Organisation hat gemeldet, dass Änderungen des eigenen Kontos nicht von ihm oder ihr stammen. API-Tokens und offene Einladungen seitdem wurden beendet. Die folgenden Mitglieder haben seitdem ihre Rollen von diesem Konto bekommen. Die Rollen bleiben, bis Sie sie ändern.',
  directoryOwnerKeptSubject: 'Die letzte Person mit Eigentümerrolle hat das Verzeichnis verlassen',
  directoryOwnerKeptText:
    'Das Verzeichnis einer Organisation hat die letzte Person mit Eigentümerrolle abgemeldet. Ihre Sitzungen und ihre Anmeldung dort sind beendet. Die Mitgliedschaft bleibt, bis jemand anders die Eigentümerrolle hat: Geben Sie sie einem anderen Mitglied. Dann beendet das Verzeichnis die Mitgliedschaft mit seiner nächsten Anfrage.',
  directoryPeopleLeftSubject: 'Viele Personen haben das Verzeichnis einer Verbindung verlassen',
  directoryPeopleLeftText:
    'Innerhalb von zehn Minuten hat das Verzeichnis einer Verbindung mehr als 50 Personen und mehr als ein Fünftel aller Personen abgemeldet. Ihre Zugänge sind beendet. Wenn das ein Versehen war, halten Sie das Verzeichnis auf der Seite der Verbindung an und holen Sie die Personen dort zurück.',
  signInHookFailedSubject: 'Niemand kann sich anmelden, weil eine Funktion eines Produkts ausfällt',
  signInHookFailedText:
    'Der Dienst fragt bei jeder Anmeldung eine Funktion eines Produkts, und sie gibt keine brauchbare Antwort. Nur Administratoren können sich anmelden, mit einem Passkey oder einem zweiten Faktor. Das unten genannte Konto hat das getan. Reparieren Sie die Funktion, oder schalten Sie den Hook in den Einstellungen des Dienstes aus.',
  directoryPeopleLeftButton: 'Verbindung ansehen',
  ownerNoticeOrganization: 'Organisation',
  ownerNoticeConcerns: 'Betrifft',
  ownerNoticeRoles: 'Vergebene Rollen',
  ownerNoticeAct: 'Wenn Sie das nicht erwartet haben, sehen Sie es sich an und beenden Sie es.',
  ownerNoticeButton: 'Organisation ansehen',
  signInEndedSubject: 'Sie müssen Ihre Anmeldung neu einrichten',
  signInEndedText:
    'Ihr Konto hat neue Berechtigungen erhalten. Jemand ohne diese Berechtigungen oder die Anmeldung Ihres Unternehmens hatte festgelegt, wie Sie sich anmelden. Das gilt deshalb nicht mehr. Sie erhalten einen Link für ein neues Passwort, oder Ihr Administrator hilft Ihnen. Danach können Sie Ihr Unternehmenskonto auf Ihrer Kontoseite wieder verbinden.',
  newDeviceSubject: 'Neue Anmeldung bei Ihrem Konto',
  newDeviceText:
    'Bei Ihrem Konto hat sich jemand mit einem Gerät angemeldet, das bisher nicht verwendet wurde.',
}
