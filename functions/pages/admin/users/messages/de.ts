import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Benutzer',
  search: 'Nach Name, Benutzername oder E-Mail suchen',
  state: 'Status',
  enabled: 'Aktiv',
  disabled: 'Deaktiviert',
  expired: 'Abgelaufen',
  username: 'Benutzername',
  email: 'E-Mail-Adresse',
  lastSeen: 'Zuletzt aktiv',
  empty: 'Es gibt noch keine Benutzer.',
}
