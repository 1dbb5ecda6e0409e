import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Confirmez votre adresse e-mail',
  explanation: 'Confirmez que cette adresse e-mail est la vôtre.',
  confirm: 'Confirmer l’adresse',
  doneHeading: 'Adresse e-mail confirmée',
  done: 'Votre adresse e-mail est confirmée. Vous pouvez fermer cette page.',
  taken: 'Un autre compte utilise cette adresse. Contactez un administrateur.',
  incomplete: 'Ce lien est incomplet. Ouvrez-le à nouveau depuis l’e-mail.',
  used: 'Ce lien a expiré ou a déjà été utilisé.',
  getNewLink: 'Pour recevoir un nouveau lien, connectez-vous ou contactez un administrateur.',
  goToSignIn: 'Aller à la page de connexion',
}
