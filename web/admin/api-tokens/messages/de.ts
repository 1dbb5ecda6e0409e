import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'API-Token',
  intro:
    'Die API-Token aller Benutzer, die neuesten zuerst. Widerrufen Sie Token, die nicht mehr verwendet werden oder zu viel dürfen.',
  findOwner: 'Nach Eigentümer suchen',
  owner: 'Eigentümer',
  show: 'Anzeigen',
  ofUser: 'API-Token von {name}',
  allTokens: 'API-Token aller Benutzer',
  findName: 'Nach genauem Namen suchen',
  scopes: 'Beschränkt auf',
  unlimited: 'Alles, was der Benutzer darf',
  created: 'Erstellt',
  lastUsed: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  empty: 'Dieser Benutzer hat keine API-Token.',
  emptyAll: 'Es gibt noch keine API-Token.',
  revokeToken: 'API-Token widerrufen?',
  revokeTokenText: 'Programme, die {name} verwenden, verlieren sofort den Zugriff.',
  revoked: 'Das API-Token wurde widerrufen.',
}
