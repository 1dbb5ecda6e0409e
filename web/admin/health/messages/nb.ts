import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Tjenestestatus',
  allGood: 'Alt fungerer.',
  failing: 'Noe fungerer ikke. Se på delene nedenfor.',
  parts: 'Deler',
  table: 'Database',
  vault: 'Kryptering av hemmeligheter',
  mail: 'Sending av e-post',
  works: 'Fungerer',
  fails: 'Fungerer ikke',
  off: 'Ikke satt opp',
  took: '{count, plural, one {# millisekund} other {# millisekunder}}',
  version: 'Versjon',
  again: 'Kontroller på nytt',
  forDevelopers: 'For utviklere',
  reference: 'API-referanse',
}
