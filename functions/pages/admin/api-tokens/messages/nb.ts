import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'API-tokener',
  chooseOwner: 'Velg en bruker for å se API-tokenene.',
  show: 'Vis',
  ofUser: 'API-tokener for {name}',
  otherUser: 'Velg en annen bruker',
  findName: 'Finn med nøyaktig navn',
  scopes: 'Begrenset til',
  unlimited: 'Alt brukeren har lov til',
  created: 'Opprettet',
  lastUsed: 'Sist brukt',
  expires: 'Utløper',
  empty: 'Brukeren har ingen API-tokener.',
  revokeToken: 'Tilbakekalle API-tokenet?',
  revokeTokenText: 'Programmer som bruker {name}, mister tilgangen med en gang.',
  revoked: 'API-tokenet er tilbakekalt.',
}
