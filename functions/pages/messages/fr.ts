import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  signIn: 'Connexion à {product}',
  reset: 'Choisir un nouveau mot de passe – {product}',
  secure: 'Sécuriser votre compte – {product}',
  confirm: 'Confirmer votre adresse e-mail – {product}',
  link: 'Partagé avec vous – {product}',
  invite: 'Invitation à {product}',
  account: 'Votre compte – {product}',
  admin: 'Administration – {product}',
  needsScript: 'Cette page nécessite JavaScript. Activez-le dans votre navigateur, puis rechargez la page.',
}
