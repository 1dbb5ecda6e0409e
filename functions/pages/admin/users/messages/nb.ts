import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Brukere',
  search: 'Søk etter navn, brukernavn eller e-post',
  state: 'Status',
  enabled: 'Aktiv',
  disabled: 'Deaktivert',
  expired: 'Utløpt',
  username: 'Brukernavn',
  email: 'E-postadresse',
  lastSeen: 'Sist aktiv',
  empty: 'Det finnes ingen brukere ennå.',
}
