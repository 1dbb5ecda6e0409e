import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Jetons d’API',
  chooseOwner: 'Choisissez un utilisateur pour voir ses jetons d’API.',
  show: 'Afficher',
  ofUser: 'Jetons d’API de {name}',
  otherUser: 'Choisir un autre utilisateur',
  findName: 'Rechercher par nom exact',
  scopes: 'Limité à',
  unlimited: 'Tout ce que l’utilisateur peut faire',
  created: 'Création',
  lastUsed: 'Dernière utilisation',
  expires: 'Expiration',
  empty: 'Cet utilisateur n’a pas de jetons d’API.',
  revokeToken: 'Révoquer le jeton d’API ?',
  revokeTokenText: 'Les programmes qui utilisent {name} perdent immédiatement l’accès.',
  revoked: 'Le jeton d’API est révoqué.',
}
