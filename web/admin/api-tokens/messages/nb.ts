import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'API-tokener',
  intro:
    'API-tokenene til alle brukere, de nyeste først. Tilbakekall dem som ikke brukes, eller som har for mange rettigheter.',
  findOwner: 'Finn med eier',
  owner: 'Eier',
  show: 'Vis',
  ofUser: 'API-tokener for {name}',
  allTokens: 'API-tokener for alle brukere',
  findName: 'Finn med nøyaktig navn',
  scopes: 'Begrenset til',
  unlimited: 'Alt brukeren har lov til',
  created: 'Opprettet',
  lastUsed: 'Sist brukt',
  expires: 'Utløper',
  empty: 'Brukeren har ingen API-tokener.',
  emptyAll: 'Det finnes ingen API-tokener ennå.',
  revokeToken: 'Tilbakekalle API-tokenet?',
  revokeTokenText: 'Programmer som bruker {name}, mister tilgangen med en gang.',
  revoked: 'API-tokenet er tilbakekalt.',
}
