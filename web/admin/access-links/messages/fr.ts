import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Liens d’accès',
  intro: 'Liens qui ouvrent du contenu partagé sans compte.',
  content: 'Contenu',
  link: 'Lien d’accès {number}',
  recipient: 'Pour',
  createdBy: 'Créé par',
  created: 'Création',
  expires: 'Expiration',
  expired: 'Expiré',
  filterCreator: 'Liens créés par un utilisateur',
  onlyOf: 'Créés par {name}',
  showLinks: 'Afficher les liens',
  allLinks: 'Afficher tous les liens',
  empty: 'Il n’y a pas de liens d’accès.',
  views: 'Utilisations restantes',
  unlimited: 'Illimité',
  protection: 'Protection',
  withPassword: 'Mot de passe',
  withSignIn: 'Connexion du destinataire',
  overview: 'Vue d’ensemble',
  activity: 'Dernières utilisations',
  noActivity: 'Le lien n’a pas encore été utilisé.',
  revokeLink: 'Révoquer ce lien',
  revokeLinkText:
    'Le lien cesse immédiatement de fonctionner et les sessions ouvertes avec lui se terminent.',
  revoked: 'Le lien d’accès est révoqué.',
}
