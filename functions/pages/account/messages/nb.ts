import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Kontoen din',
  signedInAs: 'Du er pålogget som {name}.',
  signOut: 'Logg av',
}
