import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Velg et nytt passord',
  checking: 'Kontrollerer lenken…',
  account: 'Dette blir det nye passordet til {username}.',
  saveSuggestion: 'Lagre dette passordet i passordbehandleren din før du fortsetter.',
  suggest: 'Foreslå et passord',
  endApiTokens: 'Slett også alle API-nøklene mine',
  save: 'Lagre passordet',
  doneHeading: 'Passordet er endret',
  done: 'Det nye passordet ditt er lagret. Du kan nå logge på med det.',
  signIn: 'Logg på',
  goToSignIn: 'Gå til påloggingssiden',
  incomplete: 'Denne lenken er ufullstendig. Åpne den på nytt fra e-posten.',
  used: 'Denne lenken er utløpt eller allerede brukt.',
  getNewLink: 'For å få en ny lenke går du til påloggingssiden og velger «Glemt passordet?».',
}
