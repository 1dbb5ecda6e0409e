import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Zustand des Dienstes',
  allGood: 'Alles funktioniert.',
  failing: 'Etwas funktioniert nicht. Sehen Sie sich die Teile unten an.',
  parts: 'Teile',
  table: 'Datenbank',
  vault: 'Verschlüsselung von Geheimnissen',
  mail: 'Versand von E-Mails',
  works: 'Funktioniert',
  fails: 'Funktioniert nicht',
  off: 'Nicht eingerichtet',
  took: '{count, plural, one {# Millisekunde} other {# Millisekunden}}',
  version: 'Version',
  again: 'Erneut prüfen',
  forDevelopers: 'Für Entwickler',
  reference: 'API-Referenz',
}
