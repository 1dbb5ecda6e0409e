import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Résultat de l’essai de connexion',
  accepted: 'Tout fonctionne. La connexion avec {name} est possible.',
  refused: 'La connexion avec {name} ne fonctionne pas encore. Corrigez ce qui suit, puis réessayez.',
  testedAt: 'Essai : {time}',
  missing: 'Ce résultat n’est plus disponible. Les résultats sont conservés peu de temps.',
  again: 'Réessayer',
  toChange: 'Ce qu’il faut changer',
  checks: 'Ce qui a été vérifié',
  works: 'Fonctionne',
  change: 'À corriger',
  notChecked: 'Pas encore vérifié',
  technical: 'Détails techniques',
  person: 'Qui vous êtes selon le fournisseur',
  nameId: 'Nom chez le fournisseur',
  email: 'E-mail',
  fullName: 'Nom complet',
  groups: 'Groupes',
  user: 'Utilisateur ici',
  noUser: 'Pas encore associé',
  message: 'Le fournisseur envoie une réponse lisible',
  messageAdvice:
    'Vérifiez que le fournisseur envoie sa réponse en SAML 2.0, sans modification, à l’adresse de réponse.',
  status: 'Le fournisseur a accepté votre connexion',
  statusAdvice: 'Le fournisseur a refusé. Vérifiez-y que votre compte peut utiliser cette application.',
  signature: 'La réponse est authentique : sa signature correspond au certificat',
  signatureAdvice:
    'Le fournisseur a sans doute un nouveau certificat. Actualisez ses métadonnées et vérifiez qu’il signe avec SHA-256.',
  issuer: 'La réponse vient de ce fournisseur',
  issuerAdvice:
    'L’identifiant du fournisseur ici diffère de celui qu’il envoie. Relisez ses métadonnées ou corrigez l’identifiant.',
  address: 'La réponse est destinée à l’adresse de réponse de ce service',
  addressAdvice: 'Saisissez exactement cette adresse de réponse (URL ACS) chez le fournisseur : {value}',
  audience: 'La réponse est destinée à ce service et à cette connexion',
  audienceAdvice:
    'Saisissez exactement cet entity ID (audience) chez le fournisseur : {value}. Commencez chaque connexion ici et non chez le fournisseur.',
  time: 'Les horloges concordent',
  timeAdvice:
    'L’horloge du fournisseur est fausse ou la réponse a tardé. Réglez-la sur l’heure du réseau, puis réessayez.',
  subject: 'La réponse nomme la personne, toujours de la même façon',
  subjectAdvice:
    'Définissez chez le fournisseur le nom envoyé : l’adresse e-mail ou un identifiant qui ne change jamais.',
  account: 'La personne a un utilisateur ici ou en reçoit un',
  accountAdvice:
    'Activez la création des utilisateurs à la première connexion, ou laissez la personne associer son compte sur sa page. Un utilisateur désactivé doit être réactivé.',
}
