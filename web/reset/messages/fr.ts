import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Choisissez un nouveau mot de passe',
  checking: 'Vérification du lien…',
  account: 'Ce sera le nouveau mot de passe de {username}.',
  saveSuggestion: 'Enregistrez ce mot de passe dans votre gestionnaire de mots de passe avant de continuer.',
  suggest: 'Proposer un mot de passe',
  endApiTokens: 'Supprimer aussi tous mes jetons d’API',
  save: 'Définir le mot de passe',
  doneHeading: 'Mot de passe modifié',
  done: 'Votre nouveau mot de passe est défini. Vous pouvez maintenant vous connecter.',
  signIn: 'Se connecter',
  goToSignIn: 'Aller à la page de connexion',
  incomplete: 'Ce lien est incomplet. Ouvrez-le à nouveau depuis l’e-mail.',
  used: 'Ce lien a expiré ou a déjà été utilisé.',
  getNewLink:
    'Pour recevoir un nouveau lien, allez à la page de connexion et choisissez « Mot de passe oublié ? ».',
}
