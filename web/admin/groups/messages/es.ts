import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Grupos',
  intro: 'Los miembros tienen los permisos de sus grupos.',
  search: 'Buscar por nombre',
  newGroup: 'Nuevo grupo',
  group: 'Grupo',
  members: 'Miembros',
  noMembers: 'Todavía no hay miembros.',
  addMembers: 'Añadir miembros',
  empty: 'Todavía no hay grupos.',
  deleteGroup: 'Eliminar este grupo',
  deleteGroupText:
    '{count, plural, =0 {El grupo no tiene miembros.} one {# miembro pierde los permisos de este grupo.} other {# miembros pierden los permisos de este grupo.}}',
}
