import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Su cuenta',
  signedInAs: 'Ha iniciado sesión como {name}.',
  signOut: 'Cerrar sesión',
}
