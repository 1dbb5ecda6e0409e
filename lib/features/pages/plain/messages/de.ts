import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  goToSignIn: 'Zur Anmeldeseite',
  support: 'Hilfe',
  tryAgain: 'Erneut versuchen',
  requestNumber: 'Anfragenummer: {number}',
  minutes: '{count, plural, one {# Minute} other {# Minuten}}',
  seconds: '{count, plural, one {# Sekunde} other {# Sekunden}}',
  notFoundTitle: 'Seite nicht gefunden',
  notFound:
    'Unter dieser Adresse gibt es keine Seite. Vielleicht ist die Adresse unvollständig, oder die Seite wurde verschoben.',
  noPageTitle: 'Diese Seite kann nicht angezeigt werden',
  noPage: 'Diese Adresse ist für Programme gedacht und hat keine Seite.',
  tooManyTitle: 'Zu viele Versuche',
  tooMany: 'Es gab zu viele Versuche. Warten Sie {wait} und versuchen Sie es dann erneut.',
  notSignedInTitle: 'Sie sind nicht angemeldet',
  forbiddenTitle: 'Das ist nicht möglich',
  didNotWorkTitle: 'Das hat nicht funktioniert',
  wrongTitle: 'Etwas ist schiefgelaufen',
  signOutFailedTitle: 'Abmeldung fehlgeschlagen',
  signInFailedTitle: 'Anmeldung fehlgeschlagen',
  expiredTitle: 'Diese Anmeldung gilt nicht mehr',
  providerMissing:
    'Dieser Link führt zu einer Anmeldung, die nicht mehr verfügbar ist. Gehen Sie zur Anmeldeseite und wählen Sie eine andere.',
  signInFirst: 'Gehen Sie zur Anmeldeseite, melden Sie sich an und versuchen Sie es dann erneut.',
  forbidden: 'Sie sind dazu nicht berechtigt. Wenden Sie sich bei Bedarf an die Verwaltung.',
  conflict: 'Jemand anderes hat gleichzeitig etwas geändert. Versuchen Sie es erneut.',
  ourSide:
    'Bei uns ist etwas schiefgelaufen. Versuchen Sie es gleich noch einmal. Wenn das Problem bleibt, nennen Sie der Verwaltung die Anfragenummer unten.',
  yourProvider: 'Ihrem Anmeldedienst',
  startLinkInvalid:
    'Der Link, der Sie zur Anmeldung mit {provider} hierher geführt hat, ist ungültig. Beginnen Sie hier oder auf der Anmeldeseite neu.',
  responseUnreadable:
    'Die Antwort von {provider} konnte nicht gelesen werden, deshalb sind Sie nicht angemeldet. Versuchen Sie es erneut. Wenn das Problem bleibt, wenden Sie sich an die Verwaltung.',
  signOutUnreadable:
    'Die Antwort von {provider} war nicht verwendbar, deshalb sind Sie hier vielleicht noch angemeldet. Prüfen Sie das auf der Anmeldeseite und melden Sie sich dort ab.',
  linkInvalid: 'Dieser Link ist ungültig. Beginnen Sie auf der Anmeldeseite.',
  failed:
    'Die Anmeldung mit {provider} hat nicht funktioniert. Versuchen Sie es erneut. Wenn das Problem bleibt, nennen Sie der Verwaltung die Anfragenummer unten.',
  noCookie:
    'Ihr Browser hat ein Cookie nicht behalten, das die Anmeldung braucht. Erlauben Sie Cookies für {host} und melden Sie sich erneut an.',
  notStarted:
    'Die Anmeldung mit {provider} hat nicht hier begonnen oder ist zu lange her. Beginnen Sie hier neu.',
  otherBrowser: 'Die Anmeldung wurde in einem anderen Browser begonnen. Melden Sie sich in diesem erneut an.',
  ended: 'Die Anmeldung ist schon beendet oder hat zu lange gedauert. Melden Sie sich erneut an.',
  signedOut: '{provider} hat Sie inzwischen abgemeldet. Melden Sie sich erneut an.',
  signUpRefused:
    'Für Sie wurde kein Konto angelegt. Fragen Sie die Betreiber dieses Dienstes, wenn Sie meinen, dass Sie eines bekommen sollten.',
  noAccount:
    'Kein Konto hier ist damit verbunden. Wenn Sie eines haben, verbinden Sie beide jetzt: Melden Sie sich hier an und bestätigen Sie es dann. Sonst wenden Sie sich an die Verwaltung.',
  needsInvitation:
    'Neue Konten gibt es hier nur mit einer Einladung. Wenn Sie eine haben, öffnen Sie ihren Link und wählen Sie dort {provider}.',
  connectAccounts: 'Ich habe hier ein Konto: anmelden und verbinden',
  accountThere: 'Bei {provider} sind Sie {account}.',
  switchQuestion: 'Als {account} fortfahren?',
  switchWarning:
    'Das ist hier ein anderes Konto. Wenn Sie sich nicht gerade selbst mit {provider} angemeldet haben, bleiben Sie als {user} angemeldet.',
  switchYes: 'Als {account} fortfahren',
  switchNo: 'Als {user} angemeldet bleiben',
  switchDone: 'Sie sind als {account} angemeldet',
  connectQuestion: '{account} bei {provider} mit Ihrem Konto {user} verbinden?',
  connectWarning:
    'Wer sich danach bei {provider} als {account} anmeldet, ist hier als {user} angemeldet. Verbinden Sie nur ein Konto, das Ihnen gehört.',
  connectYes: 'Verbinden',
  connectNo: 'Nicht verbinden',
  connectDone: 'Die Konten sind verbunden',
  createQuestion: 'Hier ein Konto anlegen?',
  createUnknown:
    'Es ist noch mit keinem Konto hier verbunden. Wenn Sie hier schon ein Konto haben, verbinden Sie es.',
  createYes: 'Konto anlegen',
  acceptTerms: 'Ich akzeptiere die {terms}',
  terms: 'Nutzungsbedingungen (Version {version})',
  codeQuestion: 'Code eingeben',
  codeLabel: 'Code aus Ihrer Authenticator-App oder ein Wiederherstellungscode',
  codeWrong: 'Der Code ist falsch, abgelaufen oder schon verwendet. Warten Sie auf den nächsten.',
  secondFactorNeeded:
    'Ihr Konto braucht einen zweiten Identitätsnachweis. Melden Sie sich auf der Anmeldeseite mit Ihrem Passkey an, oder mit Passwort und Code.',
  codeDone: 'Sie sind angemeldet',
  otherProvider: 'Ihre Firma verlangt, dass Sie sich mit {provider} anmelden.',
  disabled: 'Ihr Konto ist deaktiviert oder abgelaufen. Wenden Sie sich an die Verwaltung.',
  taken:
    'Ihr Konto bei {provider} gehört hier zu einer anderen Person. Melden Sie sich damit an, oder wenden Sie sich an die Verwaltung.',
  signInToLink: 'Melden Sie sich zuerst hier an. Verbinden Sie dann Ihr Konto bei {provider}.',
  organizationInactive:
    'Ihre Organisation kann hier derzeit nicht verwendet werden. Fragen Sie deren Administrator.',
  organizationFull:
    'Ihre Organisation hat hier bereits so viele Mitglieder wie möglich. Bitten Sie deren Administrator um einen Platz.',
  notMember: 'Sie sind kein Mitglied dieser Organisation. Bitten Sie deren Administrator, Sie hinzuzufügen.',
  needsHttps:
    '{provider} meldet nur an einer https-Adresse mit Domainnamen an, und {host} ist keine. Melden Sie sich hier auf andere Weise an.',
  noNewProof:
    '{provider} hat nicht verlangt, dass Sie sich neu anmelden. Das ist hier nötig. Melden Sie sich dort ab, und versuchen Sie es erneut. Wenn das Problem bleibt, wenden Sie sich an die Verwaltung.',
  oldKey:
    'Die Antwort von {provider} konnte nicht gelesen werden, wie schon andere zuvor. Die Verwaltung muss die Verbindung mit {provider} erneuern.',
  appRequestInvalid:
    'Die App hat eine ungültige Anfrage gesendet. Gehen Sie zur App zurück, oder wenden Sie sich an deren Betreiber.',
  appSignOutInvalid: 'Die App hat eine ungültige Anfrage gesendet. Sie sind weiterhin angemeldet.',
  appExpired:
    'Sie ist beendet, abgelaufen oder wurde in einem anderen Browser begonnen. Gehen Sie zur App zurück und melden Sie sich erneut an.',
  appOther: 'Gehen Sie zur App zurück und versuchen Sie es erneut.',
  signOutTitle: 'Abmelden?',
  signOutFrom: 'Sie kommen von {app}.',
  signOutAll: 'Sie werden in diesem Browser von allen Apps abgemeldet, die dieses Konto verwenden.',
  signOut: 'Abmelden',
  staySignedIn: 'Angemeldet bleiben',
  deviceTitle: 'Auf einem Gerät anmelden',
  deviceEnter: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
  deviceCode: 'Code',
  deviceUnknown: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie den Code auf Ihrem Gerät.',
  deviceNext: 'Weiter',
  deviceSignInTo: 'Bei {app} anmelden?',
  deviceUser: 'Sie sind als {user} angemeldet.',
  deviceOtherUser: 'Anderes Konto verwenden',
  deviceCompare:
    'Fahren Sie nur fort, wenn Ihr Gerät diesen Code anzeigt und Sie die Anmeldung bei {app} dort selbst begonnen haben. Wenn Ihnen jemand den Code oder einen Link geschickt hat, brechen Sie ab.',
  deviceGets: '{app} erhält:',
  deviceGetsId: 'Ihre Benutzer-ID, und wann und wie Sie sich angemeldet haben',
  deviceGetsProfile: 'Ihren Namen, Benutzernamen und Ihre Sprache',
  deviceGetsEmail: 'Ihre E-Mail-Adresse',
  deviceGetsPhone: 'Ihre Telefonnummer',
  deviceGetsAddress: 'Ihre Anschrift',
  deviceGetsValue: '{what}: {value}',
  deviceGetsGroups: 'Ihre Gruppen',
  deviceGetsPermissions: 'Ihre Berechtigungen',
  deviceGetsAttributes: 'weitere Angaben zu Ihnen',
  deviceGetsOrganization: 'Ihre Organisation und Ihre Rollen darin',
  deviceGetsAudience: 'Zugriff in Ihrem Namen auf {audience}',
  deviceGetsOffline: 'Zugriff, bis Sie ihn auf Ihrer Kontoseite beenden',
  requestChanged:
    'Diese Anfrage hat sich geändert, seit Sie die Seite geöffnet haben. Es ist noch nichts geschehen. Lesen Sie sie noch einmal, bevor Sie antworten.',
  deviceContinue: 'Fortfahren',
  deviceCancel: 'Abbrechen',
  organizationQuestion: 'Organisation auswählen',
  organizationFor: 'Sie fahren mit {app} für die Organisation fort, die Sie auswählen.',
  consentQuestion: '{app} Zugriff geben?',
  consentWarning:
    'Kein Administrator hat diese App registriert. Fahren Sie nur fort, wenn Sie sie gerade selbst gestartet haben und {app} vertrauen.',
  nativeAppWarning:
    'Jedes Programm auf diesem Gerät kann sich als {app} ausgeben. Fahren Sie nur fort, wenn Sie die Anmeldung dort gerade selbst begonnen haben.',
  consentAddress: 'Adresse der App: {address}',
  consentLeadsTo: 'Danach geht es weiter zu {target}.',
  deviceDoneTitle: 'Ihr Gerät ist angemeldet',
  deviceDone: 'Gehen Sie zurück zu {app} auf Ihrem Gerät. Sie können diese Seite schließen.',
  deviceDeniedTitle: 'Abgebrochen',
  deviceDenied: '{app} auf dem Gerät ist nicht angemeldet. Sie können diese Seite schließen.',
}
