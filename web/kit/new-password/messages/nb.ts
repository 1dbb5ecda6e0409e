import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  newPassword: 'Nytt passord',
  ruleLength: 'Minst {count, plural, one {# tegn} other {# tegn}}',
  ruleContains: 'Minst {count} × {what}',
  ruleForm: 'Formen som organisasjonen din krever',
  ruleNames: 'Ikke brukernavnet eller e-postadressen din',
  ruleGuess: 'Ikke lett å gjette, og ikke kjent fra et datainnbrudd',
  met: '(oppfylt)',
  strength: 'Styrke: {strength}',
  veryWeak: 'svært svakt',
  weak: 'svakt',
  fair: 'middels',
  good: 'bra',
  strong: 'sterkt',
  tooLong: 'Passordet er for langt. Bruk høyst {count, plural, one {# tegn} other {# tegn}}.',
  tooShort: 'Passordet er for kort. Bruk minst {count, plural, one {# tegn} other {# tegn}}.',
  containsOwnName:
    'Passordet kan ikke inneholde brukernavnet eller e-postadressen din, heller ikke baklengs.',
  containsServiceName: 'Passordet kan ikke være en variant av navnet ditt eller navnet på denne tjenesten.',
  ruleNotMet: 'Passordet trenger minst {count} × {what}.',
  formNotMet: 'Passordet har ikke formen som organisasjonen din krever.',
  tooCostlyToCheck: 'Passordet er for langt til å kontrolleres. Velg et kortere.',
  tooEasyToGuess: 'Passordet er for lett å gjette. Gjør det lengre, eller bruk mindre vanlige ord.',
  commonPassword: 'Mange bruker dette passordet eller et lignende. Velg et annet.',
  breachedPassword: 'Dette passordet er kjent fra et datainnbrudd. Velg et annet.',
  samePassword: 'Dette er det nåværende passordet ditt. Velg et annet.',
  notAccepted: 'Dette passordet godtas ikke. Velg et annet.',
}
