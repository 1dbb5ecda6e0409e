import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Votre compte',
  signedInAs: 'Vous êtes connecté en tant que {name}.',
  signOut: 'Se déconnecter',
}
