import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  goToSignIn: 'Gå til påloggingssiden',
  support: 'Hjelp',
  tryAgain: 'Prøv igjen',
  requestNumber: 'Forespørselsnummer: {number}',
  minutes: '{count, plural, one {# minutt} other {# minutter}}',
  seconds: '{count, plural, one {# sekund} other {# sekunder}}',
  notFoundTitle: 'Fant ikke siden',
  notFound:
    'Det finnes ingen side på denne adressen. Adressen kan være ufullstendig, eller siden kan være flyttet.',
  noPageTitle: 'Denne siden kan ikke vises',
  noPage: 'Denne adressen er ment for programmer og har ingen side.',
  tooManyTitle: 'For mange forsøk',
  tooMany: 'Det har vært for mange forsøk. Vent {wait}, og prøv igjen.',
  notSignedInTitle: 'Du er ikke pålogget',
  forbiddenTitle: 'Du kan ikke gjøre dette',
  didNotWorkTitle: 'Det fungerte ikke',
  wrongTitle: 'Noe gikk galt',
  signOutFailedTitle: 'Avloggingen mislyktes',
  signInFailedTitle: 'Påloggingen mislyktes',
  expiredTitle: 'Denne påloggingen er ikke lenger gyldig',
  providerMissing:
    'Denne lenken fører til en pålogging som ikke lenger er tilgjengelig. Gå til påloggingssiden og velg en annen.',
  signInFirst: 'Gå til påloggingssiden og logg på, og prøv igjen.',
  forbidden: 'Du har ikke tillatelse til dette. Spør en administrator om du trenger det.',
  conflict: 'Noen andre gjorde en endring samtidig. Prøv igjen.',
  ourSide:
    'Noe gikk galt hos oss. Prøv igjen om litt. Hvis problemet vedvarer, gi en administrator nummeret nedenfor.',
  yourProvider: 'påloggingstjenesten din',
  startLinkInvalid:
    'Lenken som førte deg hit for å logge på med {provider}, er ugyldig. Begynn på nytt her eller på påloggingssiden.',
  responseUnreadable:
    'Vi kunne ikke lese svaret fra {provider}, så du er ikke pålogget. Prøv igjen. Hvis problemet vedvarer, kontakt en administrator.',
  signOutUnreadable:
    'Vi kunne ikke bruke svaret fra {provider}, så du kan fortsatt være pålogget her. Sjekk på påloggingssiden, og logg av der.',
  linkInvalid: 'Denne lenken er ugyldig. Begynn på påloggingssiden.',
  failed:
    'Påloggingen med {provider} fungerte ikke. Prøv igjen. Hvis problemet vedvarer, gi en administrator nummeret nedenfor.',
  noCookie:
    'Nettleseren beholdt ikke en informasjonskapsel som påloggingen trenger. Tillat informasjonskapsler for {host}, og logg på igjen.',
  notStarted: 'Påloggingen med {provider} begynte ikke her, eller for lenge siden. Begynn på nytt her.',
  otherBrowser: 'Påloggingen ble startet i en annen nettleser. Logg på igjen i denne.',
  ended: 'Påloggingen er allerede avsluttet eller tok for lang tid. Logg på igjen.',
  signedOut: '{provider} har logget deg av i mellomtiden. Logg på igjen.',
  signUpRefused:
    'Det ble ikke opprettet noen konto for deg. Spør dem som driver tjenesten, hvis du mener at du burde få en.',
  noAccount:
    'Ingen konto her er koblet til den. Hvis du har en, kan du koble dem sammen nå: Logg på her, og bekreft det deretter. Ellers spør du en administrator.',
  needsInvitation:
    'Nye kontoer her krever en invitasjon. Har du en, åpner du lenken i den og velger {provider} der.',
  connectAccounts: 'Jeg har en konto her: logg på og koble til',
  accountThere: 'Hos {provider} er du {account}.',
  switchQuestion: 'Fortsette som {account}?',
  switchWarning:
    'Det er en annen konto her. Hvis du ikke nettopp logget på med {provider} selv, bør du forbli pålogget som {user}.',
  switchYes: 'Fortsett som {account}',
  switchNo: 'Forbli pålogget som {user}',
  switchDone: 'Du er logget på som {account}',
  connectQuestion: 'Koble {account} hos {provider} til kontoen din {user}?',
  connectWarning:
    'Etterpå er alle som logger på hos {provider} som {account}, logget på her som {user}. Koble bare til en konto som er din.',
  connectYes: 'Koble til',
  connectNo: 'Ikke koble til',
  connectDone: 'Kontoene er koblet sammen',
  createQuestion: 'Opprette en konto her?',
  createUnknown:
    'Den er ikke koblet til noen konto her ennå. Hvis du allerede har en konto her, kan du koble den til.',
  createYes: 'Opprett konto',
  acceptTerms: 'Jeg godtar {terms}',
  terms: 'bruksvilkårene (versjon {version})',
  codeQuestion: 'Skriv inn koden din',
  codeLabel: 'Kode fra autentiseringsappen din, eller en gjenopprettingskode',
  codeWrong: 'Koden er feil, utløpt eller brukt. Vent på den neste.',
  secondFactorNeeded:
    'Kontoen din trenger et ekstra identitetsbevis. Gå til påloggingssiden og logg på med passnøkkelen din, eller med passord og kode.',
  codeDone: 'Du er logget på',
  otherProvider: 'Firmaet ditt krever at du logger på med {provider}.',
  disabled: 'Kontoen din er deaktivert eller utløpt. Kontakt en administrator.',
  taken:
    'Kontoen din hos {provider} tilhører en annen bruker her. Logg på med den, eller kontakt en administrator.',
  signInToLink: 'Logg på her først. Koble deretter til kontoen din hos {provider}.',
  organizationInactive:
    'Organisasjonen din kan ikke brukes her for øyeblikket. Spør administratoren i organisasjonen.',
  organizationFull:
    'Organisasjonen din har så mange medlemmer her som den kan ha. Be administratoren i organisasjonen om en plass.',
  notMember:
    'Du er ikke medlem av denne organisasjonen. Be administratoren i organisasjonen om å legge deg til.',
  needsHttps:
    '{provider} logger bare inn på en https-adresse med et domenenavn, og {host} er ikke en slik adresse. Logg inn på en annen måte her.',
  noNewProof:
    '{provider} ba deg ikke om å logge på igjen, og det er nødvendig her. Logg av der, og prøv igjen. Hvis problemet vedvarer, kontakt en administrator.',
  oldKey:
    'Svaret fra {provider} kunne ikke leses, som andre svar før. En administrator må fornye forbindelsen med {provider}.',
  appRequestInvalid:
    'Appen sendte en ugyldig forespørsel. Gå tilbake til appen, eller kontakt dem som driver den.',
  appSignOutInvalid: 'Appen sendte en ugyldig forespørsel. Du er fortsatt pålogget.',
  appExpired:
    'Den er fullført, utløpt eller startet i en annen nettleser. Gå tilbake til appen og logg på igjen.',
  appOther: 'Gå tilbake til appen og prøv igjen.',
  signOutTitle: 'Vil du logge av?',
  signOutFrom: 'Du kom fra {app}.',
  signOutAll: 'Du blir logget av alle apper som bruker denne kontoen i denne nettleseren.',
  signOut: 'Logg av',
  staySignedIn: 'Forbli pålogget',
  deviceTitle: 'Logg på på en enhet',
  deviceEnter: 'Skriv inn koden som enheten viser.',
  deviceCode: 'Kode',
  deviceUnknown: 'Denne koden er feil eller har utløpt. Sjekk koden på enheten.',
  deviceNext: 'Neste',
  deviceSignInTo: 'Logge på {app}?',
  deviceUser: 'Du er logget på som {user}.',
  deviceOtherUser: 'Bruk en annen konto',
  deviceCompare:
    'Fortsett bare hvis enheten viser denne koden og du selv begynte å logge på {app} der. Avbryt hvis noen sendte deg koden eller en lenke.',
  deviceGets: '{app} får:',
  deviceGetsId: 'bruker-ID-en din, og når og hvordan du logget på',
  deviceGetsProfile: 'navnet, brukernavnet og språket ditt',
  deviceGetsEmail: 'e-postadressen din',
  deviceGetsPhone: 'telefonnummeret ditt',
  deviceGetsAddress: 'postadressen din',
  deviceGetsValue: '{what}: {value}',
  deviceGetsGroups: 'gruppene dine',
  deviceGetsPermissions: 'tillatelsene dine',
  deviceGetsAttributes: 'flere opplysninger om deg',
  deviceGetsOrganization: 'organisasjonen din og rollene dine i den',
  deviceGetsAudience: 'tilgang på dine vegne til {audience}',
  deviceGetsOffline: 'tilgang til du avslutter den på kontosiden din',
  requestChanged:
    'Forespørselen er endret etter at du åpnet siden. Ingenting har skjedd ennå. Les den på nytt før du svarer.',
  deviceContinue: 'Fortsett',
  deviceCancel: 'Avbryt',
  organizationQuestion: 'Velg en organisasjon',
  organizationFor: 'Du fortsetter til {app} for organisasjonen du velger.',
  consentQuestion: 'Gi {app} tilgang?',
  consentWarning:
    'Ingen administrator har registrert denne appen. Fortsett bare hvis du nettopp startet den selv og stoler på {app}.',
  nativeAppWarning:
    'Ethvert program på denne enheten kan utgi seg for å være {app}. Fortsett bare hvis du nettopp begynte å logge på der selv.',
  consentAddress: 'Adressen til appen: {address}',
  consentLeadsTo: 'Deretter går du videre til {target}.',
  deviceDoneTitle: 'Enheten er logget på',
  deviceDone: 'Gå tilbake til {app} på enheten. Du kan lukke denne siden.',
  deviceDeniedTitle: 'Avbrutt',
  deviceDenied: '{app} på enheten er ikke logget på. Du kan lukke denne siden.',
}
