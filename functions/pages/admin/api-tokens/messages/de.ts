import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'API-Token',
  chooseOwner: 'Wählen Sie einen Benutzer, um dessen API-Token zu sehen.',
  show: 'Anzeigen',
  ofUser: 'API-Token von {name}',
  otherUser: 'Anderen Benutzer wählen',
  findName: 'Nach genauem Namen suchen',
  scopes: 'Beschränkt auf',
  unlimited: 'Alles, was der Benutzer darf',
  created: 'Erstellt',
  lastUsed: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  empty: 'Dieser Benutzer hat keine API-Token.',
  revokeToken: 'API-Token widerrufen?',
  revokeTokenText: 'Programme, die {name} verwenden, verlieren sofort den Zugriff.',
  revoked: 'Das API-Token wurde widerrufen.',
}
