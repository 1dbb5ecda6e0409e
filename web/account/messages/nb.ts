import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Kontoen din',
  signOut: 'Logg av',
  administration: 'Administrasjon',
  profile: 'Profil',
  password: 'Passord',
  twoStep: 'Totrinnsbekreftelse',
  passkeys: 'Passnøkler',
  sessions: 'Enheter og økter',
  apiTokens: 'API-tokener',
  connections: 'Tilknyttede kontoer',
  guestHeading: 'Du åpnet en delt lenke',
  guestText:
    'Du er her som {name}, med en lenke som ble delt med deg. Den åpner bare det delte innholdet, så det finnes ingen konto å administrere.',
  setupRequired:
    'Organisasjonen din krever et ekstra bevis i tillegg til passordet. Sett det opp her. Før det kan du ikke gjøre noe annet.',
  setupRequiredFrom:
    'Fra {date} krever organisasjonen din et ekstra bevis i tillegg til passordet. Sett opp totrinnsbekreftelse eller en passnøkkel før det.',
  names: 'Navn og språk',
  fullName: 'Fullt navn',
  username: 'Brukernavn',
  languageHint: 'For sider og e-post.',
  languageOfBrowser: 'Som i nettleseren',
  email: 'E-postadresse',
  emailVerified: 'Bekreftet',
  emailUnverified: 'Ikke bekreftet',
  noEmail: 'Ingen e-postadresse er lagret.',
  sendLink: 'Send lenken på nytt',
  linkSent: 'En lenke er på vei til {address}. Åpne den for å bekrefte adressen.',
  emailPending: 'Bekreft lenken som vi sendte til {address}. Til da brukes den nåværende adressen.',
  withdrawEmail: 'Behold nåværende adresse',
  emailWithdrawn: 'E-postadressen din er uendret.',
  changeEmail: 'Endre e-postadresse',
  newEmail: 'Ny e-postadresse',
  newEmailHint: 'Vi sender en lenke til den nye adressen og et varsel til den nåværende.',
  emailInvalid: 'Skriv inn en e-postadresse, for eksempel navn@example.com.',
}
