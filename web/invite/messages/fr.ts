import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Bienvenue sur {product}',
  invitedBy: '{inviter} vous a envoyé une invitation. Votre nom d’utilisateur est {username}.',
  invited: 'Vous avez reçu une invitation. Votre nom d’utilisateur est {username}.',
  signedInAsOther:
    'Vous êtes connecté en tant que {other}. Si vous acceptez, vous serez connecté en tant que {username}.',
  password: 'Choisissez un mot de passe',
  accept: 'Accepter l’invitation',
  ways: 'Comment voulez-vous vous connecter\u00a0?',
  otherWays: 'Ou sans mot de passe\u00a0:',
  createPasskey: 'Créer une clé d’accès',
  continueWith: 'Continuer avec {provider}',
  needsSecondFactor:
    'Votre organisation demande une seconde étape à chaque connexion. Acceptez l’invitation, puis configurez-la.',
  acceptAndSetUp: 'Accepter et configurer',
  noWay:
    'Ce navigateur ne permet pas d’accepter l’invitation. Ouvrez le lien dans un autre navigateur ou adressez-vous à la personne qui vous a invité.',
  endedHeading: 'Cette invitation n’est plus valable',
  ended: 'Elle a déjà été utilisée, a été retirée ou a expiré.',
  askAgain:
    'Demandez une nouvelle invitation à la personne qui vous l’a envoyée. Si vous l’avez déjà acceptée, connectez-vous.',
  goToSignIn: 'Aller à la page de connexion',
  accepted: 'Vous avez accepté l’invitation et vous êtes connecté.',
}
