import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Für Sie freigegeben',
  headingIn: 'In {product} für Sie freigegeben',
  openedHeading: 'Link geöffnet',
  signedOutHeading: 'Abgemeldet',
  checking: 'Der Link wird geprüft…',
  shared: '{name} hat etwas für Sie freigegeben.',
  signedInAs: 'Sie sind als {name} angemeldet.',
  staySignedIn: 'Sie bleiben angemeldet, wenn Sie den Link öffnen.',
  sharedItems: 'Freigegebene Inhalte:',
  aGuest: 'Gast',
  linkPassword: 'Passwort des Links',
  enterPassword: 'Geben Sie das Passwort für diesen Link ein.',
  wrongPassword: 'Das Passwort des Links ist falsch.',
  open: 'Öffnen',
  openIn: 'In {product} öffnen',
  isOpen: 'Der Link ist geöffnet.',
  isOpenFor: 'Der Link ist geöffnet. Sie sind in diesem Browser als {name} angemeldet.',
  closed:
    'Der Link ist in diesem Browser nicht mehr geöffnet. Öffnen Sie den ursprünglichen Link noch einmal.',
  invalid:
    'Dieser Link ist ungültig oder abgelaufen. Bitten Sie die Person, die ihn gesendet hat, um einen neuen.',
  incomplete: 'Dieser Link ist unvollständig. Öffnen Sie den ursprünglichen Link noch einmal.',
  forOnePerson:
    'Dieser Link ist nur für eine Person. Melden Sie sich zuerst an, dann kommen Sie hierher zurück.',
  forSomeoneElse:
    'Dieser Link ist für jemand anderen. Wenn er für Sie ist, melden Sie sich ab und mit Ihrem eigenen Konto wieder an.',
  forSomeoneElseThan:
    'Dieser Link ist für jemand anderen. Sie sind als {name} angemeldet. Wenn er für Sie ist, melden Sie sich ab und mit Ihrem eigenen Konto wieder an.',
  signIn: 'Anmelden',
  goToSignIn: 'Zur Anmeldeseite',
  signOut: 'Abmelden',
  signedOut: 'Sie sind abgemeldet. Die freigegebenen Inhalte sind in diesem Browser nicht mehr geöffnet.',
}
