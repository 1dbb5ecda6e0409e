import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Delt med deg',
  headingIn: 'Delt med deg i {product}',
  openedHeading: 'Lenken er åpnet',
  signedOutHeading: 'Logget av',
  checking: 'Kontrollerer lenken…',
  shared: '{name} har delt noe med deg.',
  signedInAs: 'Du er logget på som {name}.',
  staySignedIn: 'Du forblir logget på når du åpner lenken.',
  sharedItems: 'Delt innhold:',
  aGuest: 'gjest',
  linkPassword: 'Passord for lenken',
  enterPassword: 'Skriv inn passordet for denne lenken.',
  wrongPassword: 'Passordet for lenken er feil.',
  open: 'Åpne',
  openIn: 'Åpne i {product}',
  isOpen: 'Lenken er åpen.',
  isOpenFor: 'Lenken er åpen. Du er logget på som {name} i denne nettleseren.',
  closed: 'Lenken er ikke lenger åpen i denne nettleseren. Åpne den opprinnelige lenken på nytt.',
  invalid: 'Denne lenken er ugyldig eller utløpt. Be personen som sendte den, om en ny.',
  incomplete: 'Denne lenken er ufullstendig. Åpne den opprinnelige lenken på nytt.',
  forOnePerson: 'Denne lenken er bare for én person. Logg på først, så kommer du tilbake hit.',
  forSomeoneElse:
    'Denne lenken er for noen andre. Hvis den er for deg, logger du av og logger på med din egen konto.',
  forSomeoneElseThan:
    'Denne lenken er for noen andre. Du er logget på som {name}. Hvis den er for deg, logger du av og logger på med din egen konto.',
  signIn: 'Logg på',
  goToSignIn: 'Gå til påloggingssiden',
  signOut: 'Logg av',
  signedOut: 'Du er logget av. Det delte innholdet er ikke lenger åpent i denne nettleseren.',
}
