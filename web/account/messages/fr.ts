import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Votre compte',
  signOut: 'Se déconnecter',
  administration: 'Administration',
  profile: 'Profil',
  password: 'Mot de passe',
  twoStep: 'Validation en deux étapes',
  passkeys: 'Clés d’accès',
  sessions: 'Appareils et sessions',
  apiTokens: 'Jetons d’API',
  connections: 'Comptes associés',
  guestHeading: 'Vous avez ouvert un lien partagé',
  guestText:
    'Vous êtes ici en tant que {name}, grâce à un lien partagé avec vous. Il donne accès au contenu partagé uniquement : il n’y a donc pas de compte à gérer.',
  setupRequired:
    'Votre organisation exige une deuxième preuve en plus du mot de passe. Configurez-la ici. D’ici là, rien d’autre n’est possible.',
  setupRequiredFrom:
    'À partir du {date}, votre organisation exige une deuxième preuve en plus du mot de passe. Configurez avant cette date la validation en deux étapes ou une clé d’accès.',
  names: 'Nom et langue',
  fullName: 'Nom complet',
  username: 'Nom d’utilisateur',
  languageHint: 'Pour les pages et les e-mails.',
  languageOfBrowser: 'Comme dans mon navigateur',
  email: 'Adresse e-mail',
  emailVerified: 'Confirmée',
  emailUnverified: 'Non confirmée',
  noEmail: 'Aucune adresse e-mail n’est enregistrée.',
  sendLink: 'Renvoyer le lien',
  linkSent: 'Un lien a été envoyé à {address}. Ouvrez-le pour confirmer l’adresse.',
  emailPending:
    'Confirmez le lien que nous avons envoyé à {address}. D’ici là, votre adresse actuelle reste utilisée.',
  withdrawEmail: 'Garder l’adresse actuelle',
  emailWithdrawn: 'Votre adresse e-mail reste inchangée.',
  changeEmail: 'Modifier l’adresse e-mail',
  newEmail: 'Nouvelle adresse e-mail',
  newEmailHint: 'Nous envoyons un lien à la nouvelle adresse et un avis à l’adresse actuelle.',
  emailInvalid: 'Saisissez une adresse e-mail, par exemple nom@example.com.',
}
