import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  confirmHeading: 'Bestätigen Sie, dass Sie es sind',
  confirmText: 'Bestätigen Sie zu Ihrer Sicherheit Ihre Identität. Danach wird die Änderung ausgeführt.',
  confirmBySigningIn:
    'Melden Sie sich zu Ihrer Sicherheit erneut an. Nehmen Sie die Änderung danach noch einmal vor.',
  confirmWithPasskey: 'Mit Passkey bestätigen',
  confirmWithProvider: 'Weiter mit Ihrem Anmeldedienst',
  confirm: 'Bestätigen',
  password: 'Passwort',
  code: 'Code aus Ihrer Authenticator-App',
  codeHint: 'Sie können stattdessen einen Wiederherstellungscode eingeben.',
  signIn: 'Anmelden',
  signInAgain: 'Erneut anmelden',
  wrongPassword: 'Das ist nicht Ihr aktuelles Passwort.',
  wrongCode: 'Der Code ist falsch oder wurde bereits verwendet. Geben Sie den neuesten ein.',
  wrongPasskey: 'Dieser Passkey wurde nicht akzeptiert. Verwenden Sie einen Passkey Ihres Kontos.',
  passkeyRequired: 'Zu Ihrem Passwort gehört auch ein Passkey. Bestätigen Sie mit Ihrem Passkey.',
  signedOutHeading: 'Sie sind abgemeldet',
  signedOutText:
    'Ihre Sitzung ist beendet. Melden Sie sich erneut an. Danach kehren Sie zu dieser Seite zurück.',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  notCopied: 'Nicht kopiert. Markieren Sie den Text und kopieren Sie ihn.',
  signedOutKeptText:
    'Ihre Änderungen sind noch auf dieser Seite. Melden Sie sich in einem neuen Tab wieder an und speichern Sie dann hier.',
  signInInNewTab: 'In neuem Tab anmelden',
}
