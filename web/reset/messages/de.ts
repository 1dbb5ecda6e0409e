import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Neues Passwort wählen',
  checking: 'Der Link wird geprüft…',
  account: 'Das ist das neue Passwort von {username}.',
  saveSuggestion: 'Speichern Sie dieses Passwort in Ihrem Passwortmanager, bevor Sie fortfahren.',
  suggest: 'Passwort vorschlagen',
  endApiTokens: 'Auch alle meine API-Tokens löschen',
  save: 'Passwort festlegen',
  doneHeading: 'Passwort geändert',
  done: 'Ihr neues Passwort ist festgelegt. Sie können sich jetzt damit anmelden.',
  signIn: 'Anmelden',
  goToSignIn: 'Zur Anmeldeseite',
  incomplete: 'Dieser Link ist unvollständig. Öffnen Sie ihn noch einmal aus der E-Mail.',
  used: 'Dieser Link ist abgelaufen oder wurde bereits verwendet.',
  getNewLink: 'Einen neuen Link erhalten Sie auf der Anmeldeseite unter „Passwort vergessen?“.',
}
