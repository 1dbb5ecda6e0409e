import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'E-Mail-Adresse bestätigen',
  explanation: 'Bestätigen Sie, dass diese E-Mail-Adresse Ihnen gehört.',
  confirm: 'Adresse bestätigen',
  doneHeading: 'E-Mail-Adresse bestätigt',
  done: 'Ihre E-Mail-Adresse ist bestätigt. Sie können diese Seite schließen.',
  taken: 'Ein anderes Konto verwendet diese Adresse. Wenden Sie sich an die Verwaltung.',
  incomplete: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.',
  used: 'Dieser Link ist abgelaufen oder wurde bereits verwendet.',
  getNewLink: 'Für einen neuen Link melden Sie sich an oder wenden Sie sich an die Verwaltung.',
  goToSignIn: 'Zur Anmeldeseite',
}
