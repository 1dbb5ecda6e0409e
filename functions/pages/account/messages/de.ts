import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Ihr Konto',
  signedInAs: 'Sie sind als {name} angemeldet.',
  signOut: 'Abmelden',
}
