import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  signIn: 'Bei {product} anmelden',
  reset: 'Neues Passwort wählen – {product}',
  secure: 'Konto schützen – {product}',
  confirm: 'E-Mail-Adresse bestätigen – {product}',
  link: 'Für Sie freigegeben – {product}',
  invite: 'Einladung zu {product}',
  account: 'Ihr Konto – {product}',
  admin: 'Verwaltung – {product}',
  needsScript: 'Diese Seite benötigt JavaScript. Schalten Sie es im Browser ein und laden Sie die Seite neu.',
}
