import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Tokens de API',
  intro:
    'Los tokens de API de todos los usuarios, los más recientes primero. Revoque los que ya no se usan o los que permiten demasiado.',
  findOwner: 'Buscar por propietario',
  owner: 'Propietario',
  show: 'Mostrar',
  ofUser: 'Tokens de API de {name}',
  allTokens: 'Tokens de API de todos los usuarios',
  findName: 'Buscar por nombre exacto',
  scopes: 'Limitado a',
  unlimited: 'Todo lo que puede el usuario',
  created: 'Creación',
  lastUsed: 'Último uso',
  expires: 'Caduca',
  empty: 'Este usuario no tiene tokens de API.',
  emptyAll: 'Todavía no hay tokens de API.',
  revokeToken: '¿Revocar el token de API?',
  revokeTokenText: 'Los programas que usan {name} pierden el acceso de inmediato.',
  revoked: 'El token de API está revocado.',
}
