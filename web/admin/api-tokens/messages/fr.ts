import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Jetons d’API',
  intro:
    'Les jetons d’API de tous les utilisateurs, du plus récent au plus ancien. Révoquez ceux qui ne servent plus ou qui donnent trop de droits.',
  findOwner: 'Rechercher par propriétaire',
  owner: 'Propriétaire',
  show: 'Afficher',
  ofUser: 'Jetons d’API de {name}',
  allTokens: 'Jetons d’API de tous les utilisateurs',
  findName: 'Rechercher par nom exact',
  scopes: 'Limité à',
  unlimited: 'Tout ce que l’utilisateur peut faire',
  created: 'Création',
  lastUsed: 'Dernière utilisation',
  expires: 'Expiration',
  empty: 'Cet utilisateur n’a pas de jetons d’API.',
  emptyAll: 'Il n’y a pas encore de jetons d’API.',
  revokeToken: 'Révoquer le jeton d’API ?',
  revokeTokenText: 'Les programmes qui utilisent {name} perdent immédiatement l’accès.',
  revoked: 'Le jeton d’API est révoqué.',
}
