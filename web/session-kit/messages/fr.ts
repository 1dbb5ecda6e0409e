import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  confirmHeading: 'Confirmez votre identité',
  confirmText: 'Pour votre sécurité, confirmez votre identité. La modification sera ensuite effectuée.',
  confirmBySigningIn: 'Pour votre sécurité, reconnectez-vous, puis effectuez à nouveau la modification.',
  confirmWithPasskey: 'Confirmer avec une clé d’accès',
  confirmWithProvider: 'Continuer avec votre fournisseur de connexion',
  confirm: 'Confirmer',
  password: 'Mot de passe',
  code: 'Code de votre application d’authentification',
  codeHint: 'Vous pouvez aussi saisir un code de récupération.',
  signIn: 'Se connecter',
  signInAgain: 'Se reconnecter',
  wrongPassword: 'Ce n’est pas votre mot de passe actuel.',
  wrongCode: 'Le code est erroné ou a déjà été utilisé. Saisissez le plus récent.',
  wrongPasskey: 'Cette clé d’accès n’a pas été acceptée. Utilisez une clé d’accès de votre compte.',
  passkeyRequired: 'Votre mot de passe exige aussi une clé d’accès. Confirmez avec votre clé d’accès.',
  signedOutHeading: 'Vous êtes déconnecté',
  signedOutText: 'Votre session a pris fin. Reconnectez-vous pour revenir à cette page.',
  copy: 'Copier',
  copied: 'Copié.',
  notCopied: 'Copie impossible. Sélectionnez le texte et copiez-le.',
  signedOutKeptText:
    'Vos modifications sont toujours sur cette page. Reconnectez-vous dans un nouvel onglet, puis revenez ici pour enregistrer.',
  signInInNewTab: 'Se connecter dans un nouvel onglet',
}
