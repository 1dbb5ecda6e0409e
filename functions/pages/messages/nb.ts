import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  signIn: 'Logg på {product}',
  reset: 'Velg nytt passord – {product}',
  secure: 'Sikre kontoen din – {product}',
  confirm: 'Bekreft e-postadressen din – {product}',
  link: 'Delt med deg – {product}',
  invite: 'Invitasjon til {product}',
  account: 'Kontoen din – {product}',
  admin: 'Administrasjon – {product}',
  needsScript: 'Denne siden krever JavaScript. Slå det på i nettleseren og last siden på nytt.',
}
