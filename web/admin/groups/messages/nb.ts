import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Grupper',
  intro: 'Medlemmer har tillatelsene til gruppene sine.',
  search: 'Søk etter navn',
  newGroup: 'Ny gruppe',
  group: 'Gruppe',
  members: 'Medlemmer',
  noMembers: 'Ingen medlemmer ennå.',
  addMembers: 'Legg til medlemmer',
  empty: 'Det finnes ingen grupper ennå.',
  deleteGroup: 'Slett gruppen',
  deleteGroupText:
    '{count, plural, =0 {Gruppen har ingen medlemmer.} one {# medlem mister tillatelsene fra gruppen.} other {# medlemmer mister tillatelsene fra gruppen.}}',
}
