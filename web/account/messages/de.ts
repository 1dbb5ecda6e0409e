import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Ihr Konto',
  signOut: 'Abmelden',
  administration: 'Verwaltung',
  profile: 'Profil',
  password: 'Passwort',
  twoStep: 'Zwei-Schritt-Anmeldung',
  passkeys: 'Passkeys',
  sessions: 'Geräte und Sitzungen',
  apiTokens: 'API-Tokens',
  connections: 'Verknüpfte Konten',
  guestHeading: 'Sie haben einen geteilten Link geöffnet',
  guestText:
    'Sie sind als {name} hier, mit einem Link, der mit Ihnen geteilt wurde. Er öffnet nur die geteilten Inhalte. Ein Konto zum Verwalten gibt es deshalb nicht.',
  setupRequired:
    'Ihre Organisation verlangt neben dem Passwort einen zweiten Nachweis. Richten Sie ihn hier ein. Bis dahin ist nichts anderes möglich.',
  setupRequiredFrom:
    'Ihre Organisation verlangt ab dem {date} neben dem Passwort einen zweiten Nachweis. Richten Sie vorher die Zwei-Schritt-Anmeldung oder einen Passkey ein.',
  names: 'Name und Sprache',
  fullName: 'Vollständiger Name',
  username: 'Benutzername',
  languageHint: 'Für Seiten und E-Mails.',
  languageOfBrowser: 'Wie im Browser',
  email: 'E-Mail-Adresse',
  emailVerified: 'Bestätigt',
  emailUnverified: 'Nicht bestätigt',
  noEmail: 'Es ist keine E-Mail-Adresse hinterlegt.',
  sendLink: 'Link erneut senden',
  linkSent: 'Ein Link ist unterwegs an {address}. Öffnen Sie ihn, um die Adresse zu bestätigen.',
  emailPending:
    'Bestätigen Sie den Link, den wir an {address} gesendet haben. Bis dahin gilt Ihre bisherige Adresse.',
  withdrawEmail: 'Bisherige Adresse behalten',
  emailWithdrawn: 'Ihre E-Mail-Adresse bleibt unverändert.',
  changeEmail: 'E-Mail-Adresse ändern',
  newEmail: 'Neue E-Mail-Adresse',
  newEmailHint: 'Wir senden einen Link an die neue Adresse und einen Hinweis an die bisherige.',
  emailInvalid: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
}
