import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Willkommen bei {product}',
  invitedBy: '{inviter} hat Sie eingeladen. Ihr Benutzername ist {username}.',
  invited: 'Sie wurden eingeladen. Ihr Benutzername ist {username}.',
  signedInAsOther:
    'Sie sind als {other} angemeldet. Wenn Sie annehmen, werden Sie stattdessen als {username} angemeldet.',
  password: 'Passwort wählen',
  accept: 'Einladung annehmen',
  ways: 'Wie möchten Sie sich anmelden?',
  otherWays: 'Oder ohne Passwort:',
  createPasskey: 'Passkey erstellen',
  continueWith: 'Weiter mit {provider}',
  needsSecondFactor:
    'Ihre Organisation verlangt bei jeder Anmeldung einen zweiten Schritt. Nehmen Sie die Einladung an und richten Sie ihn dann ein.',
  acceptAndSetUp: 'Annehmen und einrichten',
  noWay:
    'In diesem Browser können Sie die Einladung nicht annehmen. Öffnen Sie den Link in einem anderen Browser oder fragen Sie die Person, die Sie eingeladen hat.',
  endedHeading: 'Diese Einladung ist nicht mehr gültig',
  ended: 'Sie wurde bereits verwendet, zurückgezogen oder ist abgelaufen.',
  askAgain:
    'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung. Wenn Sie die Einladung schon angenommen haben, melden Sie sich an.',
  goToSignIn: 'Zur Anmeldung',
  accepted: 'Sie haben die Einladung angenommen und sind angemeldet.',
}
