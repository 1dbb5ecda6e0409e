import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Gruppen',
  intro: 'Mitglieder haben die Berechtigungen ihrer Gruppen.',
  search: 'Nach Name suchen',
  newGroup: 'Neue Gruppe',
  group: 'Gruppe',
  members: 'Mitglieder',
  noMembers: 'Noch keine Mitglieder.',
  addMembers: 'Mitglieder hinzufügen',
  empty: 'Es gibt noch keine Gruppen.',
  deleteGroup: 'Gruppe löschen',
  deleteGroupText:
    '{count, plural, =0 {Die Gruppe hat keine Mitglieder.} one {# Mitglied verliert die Berechtigungen dieser Gruppe.} other {# Mitglieder verlieren die Berechtigungen dieser Gruppe.}}',
}
