import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Bekreft e-postadressen din',
  explanation: 'Bekreft at denne e-postadressen er din.',
  confirm: 'Bekreft adressen',
  doneHeading: 'E-postadressen er bekreftet',
  done: 'E-postadressen din er bekreftet. Du kan lukke denne siden.',
  taken: 'En annen konto bruker denne adressen. Spør en administrator.',
  incomplete: 'Denne lenken er ufullstendig. Åpne den på nytt fra e-posten.',
  used: 'Denne lenken er utløpt eller allerede brukt.',
  getNewLink: 'For å få en ny lenke kan du logge på eller spørre en administrator.',
  goToSignIn: 'Gå til påloggingssiden',
}
