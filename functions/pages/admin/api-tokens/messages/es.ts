import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Tokens de API',
  chooseOwner: 'Elija un usuario para ver sus tokens de API.',
  show: 'Mostrar',
  ofUser: 'Tokens de API de {name}',
  otherUser: 'Elegir otro usuario',
  findName: 'Buscar por nombre exacto',
  scopes: 'Limitado a',
  unlimited: 'Todo lo que puede el usuario',
  created: 'Creación',
  lastUsed: 'Último uso',
  expires: 'Caduca',
  empty: 'Este usuario no tiene tokens de API.',
  revokeToken: '¿Revocar el token de API?',
  revokeTokenText: 'Los programas que usan {name} pierden el acceso de inmediato.',
  revoked: 'El token de API está revocado.',
}
