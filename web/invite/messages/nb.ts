import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Velkommen til {product}',
  invitedBy: '{inviter} har invitert deg. Brukernavnet ditt er {username}.',
  invited: 'Du er invitert. Brukernavnet ditt er {username}.',
  signedInAsOther: 'Du er logget på som {other}. Når du godtar, blir du logget på som {username} i stedet.',
  password: 'Velg et passord',
  accept: 'Godta invitasjonen',
  ways: 'Hvordan vil du logge på?',
  otherWays: 'Eller uten passord:',
  createPasskey: 'Opprett en passnøkkel',
  continueWith: 'Fortsett med {provider}',
  needsSecondFactor:
    'Organisasjonen din krever et ekstra trinn ved hver pålogging. Godta invitasjonen, og sett det deretter opp.',
  acceptAndSetUp: 'Godta og sett opp',
  noWay:
    'Invitasjonen kan ikke godtas i denne nettleseren. Åpne lenken i en annen nettleser, eller spør personen som inviterte deg.',
  endedHeading: 'Denne invitasjonen er ikke lenger gyldig',
  ended: 'Den er allerede brukt, trukket tilbake eller utløpt.',
  askAgain: 'Be personen som inviterte deg, om en ny invitasjon. Logg på hvis du har godtatt den før.',
  goToSignIn: 'Gå til påloggingssiden',
  accepted: 'Du har godtatt invitasjonen og er logget på.',
}
