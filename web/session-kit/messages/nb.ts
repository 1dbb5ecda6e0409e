import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  confirmHeading: 'Bekreft at det er deg',
  confirmText: 'Bekreft identiteten din for sikkerhets skyld. Deretter utføres endringen.',
  confirmBySigningIn: 'Logg på igjen for sikkerhets skyld. Gjør deretter endringen en gang til.',
  confirmWithPasskey: 'Bekreft med passnøkkel',
  confirmWithProvider: 'Fortsett med påloggingstjenesten din',
  confirm: 'Bekreft',
  password: 'Passord',
  code: 'Kode fra autentiseringsappen',
  codeHint: 'Du kan skrive inn en gjenopprettingskode i stedet.',
  signIn: 'Logg på',
  signInAgain: 'Logg på igjen',
  wrongPassword: 'Dette er ikke ditt nåværende passord.',
  wrongCode: 'Koden er feil eller allerede brukt. Skriv inn den nyeste.',
  wrongPasskey: 'Passnøkkelen ble ikke godtatt. Bruk en passnøkkel for kontoen din.',
  passkeyRequired: 'Passordet ditt krever også en passnøkkel. Bekreft med passnøkkelen.',
  signedOutHeading: 'Du er logget av',
  signedOutText: 'Økten din er avsluttet. Logg på igjen, så kommer du tilbake til denne siden.',
  copy: 'Kopier',
  copied: 'Kopiert.',
  notCopied: 'Ikke kopiert. Merk teksten og kopier den.',
  signedOutKeptText:
    'Endringene dine er fortsatt på denne siden. Logg på igjen i en ny fane, og kom tilbake hit for å lagre.',
  signInInNewTab: 'Logg på i en ny fane',
}
