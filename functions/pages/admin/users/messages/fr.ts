import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Utilisateurs',
  search: 'Rechercher par nom, identifiant ou e-mail',
  state: 'État',
  enabled: 'Actif',
  disabled: 'Désactivé',
  expired: 'Expiré',
  username: 'Nom d’utilisateur',
  email: 'Adresse e-mail',
  lastSeen: 'Dernière activité',
  empty: 'Il n’y a pas encore d’utilisateurs.',
}
