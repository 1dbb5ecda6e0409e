import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  newPassword: 'Neues Passwort',
  ruleLength: 'Mindestens {count, plural, one {# Zeichen} other {# Zeichen}}',
  ruleContains: 'Mindestens {count} × {what}',
  ruleForm: 'Die Form, die Ihre Organisation verlangt',
  ruleNames: 'Nicht Ihr Benutzername oder Ihre E-Mail-Adresse',
  ruleGuess: 'Nicht leicht zu erraten und aus keinem Datenleck bekannt',
  met: '(erfüllt)',
  strength: 'Stärke: {strength}',
  veryWeak: 'sehr schwach',
  weak: 'schwach',
  fair: 'mittel',
  good: 'gut',
  strong: 'stark',
  tooLong:
    'Das Passwort ist zu lang. Verwenden Sie höchstens {count, plural, one {# Zeichen} other {# Zeichen}}.',
  tooShort:
    'Das Passwort ist zu kurz. Verwenden Sie mindestens {count, plural, one {# Zeichen} other {# Zeichen}}.',
  containsOwnName:
    'Das Passwort darf weder Ihren Benutzernamen noch Ihre E-Mail-Adresse enthalten, auch nicht rückwärts.',
  containsServiceName:
    'Das Passwort darf keine Abwandlung Ihres Namens oder des Namens dieses Dienstes sein.',
  ruleNotMet: 'Das Passwort braucht mindestens {count} × {what}.',
  formNotMet: 'Das Passwort hat nicht die Form, die Ihre Organisation verlangt.',
  tooCostlyToCheck: 'Das Passwort ist zu lang für die Prüfung. Wählen Sie ein kürzeres.',
  tooEasyToGuess:
    'Das Passwort ist zu leicht zu erraten. Wählen Sie ein längeres oder weniger gebräuchliche Wörter.',
  commonPassword: 'Viele Menschen verwenden dieses oder ein ähnliches Passwort. Wählen Sie ein anderes.',
  breachedPassword: 'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
  samePassword: 'Das ist Ihr bisheriges Passwort. Wählen Sie ein anderes.',
  notAccepted: 'Dieses Passwort wird nicht angenommen. Wählen Sie ein anderes.',
}
