import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  show: 'Anzeigen',
  hide: 'Verbergen',
  language: 'Sprache',
  support: 'Hilfe',
  privacy: 'Datenschutz',
  terms: 'Nutzungsbedingungen',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  back: 'Zurück',
  continue: 'Weiter',
  loading: 'Wird geladen…',
  saved: 'Gespeichert.',
  retry: 'Erneut versuchen',
  seconds: '{count, plural, one {# Sekunde} other {# Sekunden}}',
  minutes: '{count, plural, one {# Minute} other {# Minuten}}',
  problemUnreachable:
    'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  problemTooManyAttempts: 'Zu viele Versuche. Warten Sie {wait} und versuchen Sie es dann erneut.',
  problemOnOurSide: 'Bei uns ist etwas schiefgelaufen. Versuchen Sie es gleich noch einmal.',
  problemConflict: 'Jemand anderes hat gleichzeitig etwas geändert. Versuchen Sie es erneut.',
  problemLoginFailed: 'Der Benutzername oder das Passwort ist falsch.',
  problemSignedOut: 'Sie sind nicht mehr angemeldet. Melden Sie sich an und versuchen Sie es dann erneut.',
  problemNotFound: 'Dieser Eintrag existiert nicht mehr, oder Sie haben keinen Zugriff darauf.',
  problemTooLong: 'Ihre Eingabe ist zu lang.',
  problemNotAllowed: 'Ihr Konto ist dazu nicht berechtigt.',
  problemConfirmIdentity: 'Bestätigen Sie zu Ihrer Sicherheit, dass Sie es sind.',
  problemUnknown: 'Das hat nicht funktioniert. Prüfen Sie Ihre Eingaben und versuchen Sie es erneut.',
  required: 'Füllen Sie dieses Feld aus.',
}
