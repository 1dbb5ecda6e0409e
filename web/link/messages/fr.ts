import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Partagé avec vous',
  headingIn: 'Partagé avec vous dans {product}',
  openedHeading: 'Lien ouvert',
  signedOutHeading: 'Déconnecté',
  checking: 'Vérification du lien…',
  shared: '{name} a partagé du contenu avec vous.',
  signedInAs: 'Vous êtes connecté en tant que {name}.',
  staySignedIn: 'Vous restez connecté en ouvrant le lien.',
  sharedItems: 'Contenu partagé :',
  aGuest: 'invité',
  linkPassword: 'Mot de passe du lien',
  enterPassword: 'Saisissez le mot de passe de ce lien.',
  wrongPassword: 'Le mot de passe du lien est incorrect.',
  open: 'Ouvrir',
  openIn: 'Ouvrir dans {product}',
  isOpen: 'Le lien est ouvert.',
  isOpenFor: 'Le lien est ouvert. Vous êtes connecté en tant que {name} dans ce navigateur.',
  closed: 'Le lien n’est plus ouvert dans ce navigateur. Ouvrez à nouveau le lien d’origine.',
  invalid: 'Ce lien n’est pas valable ou a expiré. Demandez-en un nouveau à la personne qui l’a envoyé.',
  incomplete: 'Ce lien est incomplet. Ouvrez à nouveau le lien d’origine.',
  forOnePerson: 'Ce lien est destiné à une seule personne. Connectez-vous d’abord, puis vous reviendrez ici.',
  forSomeoneElse:
    'Ce lien est destiné à quelqu’un d’autre. S’il est pour vous, déconnectez-vous et connectez-vous avec votre propre compte.',
  forSomeoneElseThan:
    'Ce lien est destiné à quelqu’un d’autre. Vous êtes connecté en tant que {name}. S’il est pour vous, déconnectez-vous et connectez-vous avec votre propre compte.',
  signIn: 'Se connecter',
  goToSignIn: 'Aller à la page de connexion',
  signOut: 'Se déconnecter',
  signedOut: 'Vous êtes déconnecté. Le contenu partagé n’est plus ouvert dans ce navigateur.',
}
