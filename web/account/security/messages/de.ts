import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  currentPassword: 'Aktuelles Passwort',
  changePassword: 'Passwort ändern',
  passwordChanged: 'Ihr Passwort ist geändert. Ihre anderen Sitzungen sind beendet.',
  passwordManaged:
    'Das Passwort dieses Kontos können Sie nicht ändern. Wenden Sie sich an Ihre Administration.',
  noPassword:
    'Dieses Konto hat kein Passwort. Sie melden sich anders an, zum Beispiel mit Ihrem Firmenkonto oder einem Passkey.',
  wrongPassword: 'Das ist nicht Ihr aktuelles Passwort.',
  code: 'Code aus Ihrer Authenticator-App',
  codeHint:
    'Die sechs Ziffern, die die App gerade anzeigt. Sie können stattdessen einen Wiederherstellungscode eingeben.',
  codeHintPlain: 'Die sechs Ziffern, die die App gerade anzeigt.',
  wrongCode: 'Der Code ist falsch oder wurde bereits verwendet. Geben Sie den neuesten ein.',
  codeNotMatching:
    'Der Code passt nicht. Prüfen Sie, ob Sie dieses Bild gescannt haben und die Uhr Ihres Geräts richtig geht.',
  tooManyPasskeys: 'Mehr Passkeys sind nicht möglich. Entfernen Sie zuerst einen.',
  twoStepText:
    'Mit der Zwei-Schritt-Anmeldung genügt Ihr Passwort allein nicht. Ihr Telefon zeigt einen Code, der alle 30 Sekunden wechselt.',
  twoStepOff: 'Die Zwei-Schritt-Anmeldung ist aus.',
  twoStepOn: 'Die Zwei-Schritt-Anmeldung ist an.',
  setUp: 'Einrichten',
  stepApp: 'Öffnen Sie eine Authenticator-App auf Ihrem Telefon. Jede solche App ist geeignet.',
  stepScan: 'Scannen Sie dieses Bild mit der App.',
  stepSecret: 'Wenn Sie nicht scannen können, geben Sie diesen Schlüssel in der App ein:',
  stepCode: 'Geben Sie den Code ein, den die App anzeigt.',
  qrCode: 'QR-Code mit dem Schlüssel für Ihre Authenticator-App',
  key: 'Schlüssel',
  turnOn: 'Einschalten',
  turnedOn: 'Die Zwei-Schritt-Anmeldung ist an. Ihre anderen Sitzungen sind beendet.',
  recoveryHeading: 'Bewahren Sie Ihre Wiederherstellungscodes auf',
  recoveryText:
    'Wenn Sie Ihr Telefon verlieren, meldet Sie jeder dieser Codes einmal an. Sie werden nur jetzt angezeigt. Bewahren Sie sie an einem sicheren Ort auf.',
  download: 'Herunterladen',
  print: 'Drucken',
  codesStored: 'Ich habe sie gespeichert',
  codesRenewed: 'Sie haben neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr.',
  codesLeft:
    '{count, plural, =0 {Sie haben keine Wiederherstellungscodes mehr. Holen Sie sich neue.} one {Sie haben noch # Wiederherstellungscode.} other {Sie haben noch # Wiederherstellungscodes.}}',
  recoveryCodes: 'Wiederherstellungscodes',
  renewCodes: 'Neue Wiederherstellungscodes',
  renewText: 'Die Codes, die Sie jetzt haben, gelten dann nicht mehr.',
  codesFor: 'Wiederherstellungscodes für {username} bei {product}. Jeder gilt einmal.',
  syncHeading: 'Werden Codes abgelehnt?',
  syncText:
    'Dann geht vielleicht die Uhr Ihres Telefons falsch. Geben Sie einen Code ein, damit wir die Abweichung kennen.',
  sync: 'Uhren vergleichen',
  synced:
    '{seconds, plural, =0 {Die Uhr Ihrer App geht richtig.} one {Die Uhr Ihrer App weicht um # Sekunde ab. Wir berücksichtigen das ab jetzt.} other {Die Uhr Ihrer App weicht um # Sekunden ab. Wir berücksichtigen das ab jetzt.}}',
  turnOff: 'Ausschalten',
  turnOffHeading: 'Zwei-Schritt-Anmeldung ausschalten?',
  turnOffText: 'Dann genügt Ihr Passwort allein zur Anmeldung.',
  turnedOff: 'Die Zwei-Schritt-Anmeldung ist aus.',
  passkeyText:
    'Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder PIN an. Niemand kann ihn erraten oder mit einer gefälschten Seite stehlen.',
  noPasskeys: 'Sie haben keine Passkeys.',
  passkeyName: 'Name des neuen Passkeys',
  addPasskey: 'Passkey hinzufügen',
  passkeyAdded: 'Der Passkey ist hinzugefügt.',
  passkeyAddedInSetup: 'Der Passkey ist hinzugefügt. Melden Sie sich damit an, um fortzufahren.',
  signInAgain: 'Erneut anmelden',
  rename: 'Umbenennen',
  renameHeading: 'Passkey umbenennen',
  name: 'Name',
  remove: 'Entfernen',
  removePasskeyHeading: 'Passkey „{name}“ entfernen?',
  removePasskeyText:
    'Sie können sich damit nicht mehr anmelden, und Ihre anderen Sitzungen enden. Entfernen Sie ihn auch von Ihrem Gerät.',
  passkeyRenamed: 'Der Name ist gespeichert.',
  passkeyRemoved: 'Der Passkey ist entfernt. Entfernen Sie ihn auch von Ihrem Gerät.',
  addedOn: 'Hinzugefügt am {date}.',
  usedOn: 'Zuletzt verwendet am {date}.',
  neverUsed: 'Noch nie verwendet.',
  passkeySynced: 'Auf Ihren Geräten geteilt.',
  passkeyOnOneDevice: 'Nur auf einem Gerät.',
  requirePasskey: 'Mein Passwort verlangt zusätzlich einen Passkey',
  requirePasskeyHint: 'Dann kann sich niemand mit Ihrem Passwort allein anmelden.',
  passkeyRequired: 'Ihr Passwort verlangt nun zusätzlich einen Passkey. Ihre anderen Sitzungen sind beendet.',
  passkeyOptional: 'Ihr Passwort gilt ohne Passkey.',
  addSpareFirst:
    'Fügen Sie zuerst einen zweiten Passkey oder die Zwei-Schritt-Anmeldung hinzu. Sonst würde der Verlust eines Geräts Sie aussperren.',
}
