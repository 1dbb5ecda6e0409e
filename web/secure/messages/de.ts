import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Konto schützen',
  explanation:
    'Sie haben eine E-Mail über eine Änderung an Ihrem Konto erhalten. Wenn die Änderung nicht von Ihnen stammt, drücken Sie den Knopf. Dann:',
  signsOut: 'Alle werden von Ihrem Konto abgemeldet, auch Sie.',
  removes:
    'API-Tokens, Passkeys, ein zweiter Faktor und verbundene Konten, die seitdem hinzugefügt wurden, werden entfernt.',
  restores: 'Eine geänderte E-Mail-Adresse wird zurückgesetzt.',
  ends: 'Wenn jemand Ihr Passwort kennen könnte, gilt es nicht mehr. Sie erhalten eine E-Mail, um ein neues zu wählen.',
  report: 'Das war ich nicht',
  doneHeading: 'Ihr Konto ist geschützt',
  done: 'Alle wurden abgemeldet, und was seitdem hinzugefügt wurde, ist entfernt.',
  emailRestored: 'Das Konto hat wieder seine frühere E-Mail-Adresse.',
  passwordEnded: 'Ihr Passwort gilt nicht mehr.',
  emailSent: 'Sie erhalten eine E-Mail mit einem Link, über den Sie ein neues Passwort wählen.',
  incomplete: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.',
  used: 'Dieser Link ist abgelaufen oder wurde bereits verwendet.',
  stillInDanger:
    'Wenn Ihr Konto noch in Gefahr ist, setzen Sie Ihr Passwort zurück oder wenden Sie sich an die Verwaltung.',
  goToSignIn: 'Zur Anmeldeseite',
}
