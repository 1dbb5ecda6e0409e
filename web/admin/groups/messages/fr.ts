import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Groupes',
  intro: 'Les membres ont les autorisations de leurs groupes.',
  search: 'Rechercher par nom',
  newGroup: 'Nouveau groupe',
  group: 'Groupe',
  members: 'Membres',
  noMembers: 'Pas encore de membres.',
  addMembers: 'Ajouter des membres',
  empty: 'Il n’y a pas encore de groupes.',
  deleteGroup: 'Supprimer ce groupe',
  deleteGroupText:
    '{count, plural, =0 {Le groupe n’a pas de membres.} one {# membre perd les autorisations de ce groupe.} other {# membres perdent les autorisations de ce groupe.}}',
}
