import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Beskytt kontoen din',
  explanation:
    'Du fikk en e-post om en endring av kontoen din. Hvis det ikke var du som gjorde endringen, trykker du på knappen. Da skjer dette:',
  signsOut: 'Alle blir logget av kontoen din, også du.',
  removes:
    'API-nøkler, tilgangsnøkler, en ekstra faktor og tilknyttede kontoer som er lagt til siden da, fjernes.',
  restores: 'En endret e-postadresse endres tilbake.',
  ends: 'Hvis noen kan kjenne passordet ditt, slutter det å virke. Du får en e-post for å velge et nytt.',
  report: 'Dette var ikke meg',
  doneHeading: 'Kontoen din er beskyttet',
  done: 'Alle ble logget av, og det som er lagt til siden da, er fjernet.',
  emailRestored: 'Kontoen har fått tilbake den forrige e-postadressen.',
  passwordEnded: 'Passordet ditt virker ikke lenger.',
  emailSent: 'Du får en e-post med en lenke for å velge et nytt passord.',
  incomplete: 'Denne lenken er ufullstendig. Åpne den på nytt fra e-posten.',
  used: 'Denne lenken er utløpt eller allerede brukt.',
  stillInDanger:
    'Hvis kontoen din fortsatt er i fare, kan du tilbakestille passordet eller spørre en administrator.',
  goToSignIn: 'Gå til påloggingssiden',
}
