import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Protégez votre compte',
  explanation:
    'Vous avez reçu un e-mail au sujet d’une modification de votre compte. Si elle ne vient pas de vous, appuyez sur le bouton. Ensuite :',
  signsOut: 'Toutes les personnes connectées à votre compte sont déconnectées, vous aussi.',
  removes: 'Les jetons d’API, clés d’accès, deuxième facteur et comptes liés ajoutés depuis sont supprimés.',
  restores: 'Une adresse e-mail modifiée est rétablie.',
  ends: 'Si quelqu’un peut connaître votre mot de passe, il cesse de fonctionner. Vous recevez un e-mail pour en choisir un nouveau.',
  report: 'Ce n’était pas moi',
  doneHeading: 'Votre compte est protégé',
  done: 'Tout le monde a été déconnecté, et ce qui a été ajouté depuis a été supprimé.',
  emailRestored: 'Le compte a retrouvé son adresse e-mail précédente.',
  passwordEnded: 'Votre mot de passe ne fonctionne plus.',
  emailSent: 'Vous recevez un e-mail avec un lien pour choisir un nouveau mot de passe.',
  incomplete: 'Ce lien est incomplet. Ouvrez-le à nouveau depuis l’e-mail.',
  used: 'Ce lien a expiré ou a déjà été utilisé.',
  stillInDanger:
    'Si votre compte est encore en danger, réinitialisez votre mot de passe ou contactez un administrateur.',
  goToSignIn: 'Aller à la page de connexion',
}
