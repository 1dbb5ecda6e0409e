import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Usuarios',
  search: 'Buscar por nombre, usuario o correo',
  state: 'Estado',
  enabled: 'Activo',
  disabled: 'Desactivado',
  expired: 'Caducado',
  username: 'Nombre de usuario',
  email: 'Correo electrónico',
  lastSeen: 'Última actividad',
  empty: 'Todavía no hay usuarios.',
}
