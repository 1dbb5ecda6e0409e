import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  buttonHint: 'Hvis knappen ikke virker, kopierer du denne adressen inn i nettleseren:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Logg på',
  supportLink: 'Hjelp',
  privacyLink: 'Personvern',
  termsLink: 'Vilkår',

  resetSubject: 'Velg et nytt passord for {product}',
  resetRequested: 'Det er bedt om et nytt passord for kontoen {username} på {host}.',
  resetInstruction: 'Åpne denne lenken for å velge et nytt passord:',
  resetButton: 'Velg nytt passord',
  resetExpiry: 'Lenken virker én gang og utløper om {minutes, plural, one {# minutt} other {# minutter}}.',
  resetIgnore: 'Hvis du ikke ba om dette, kan du se bort fra e-posten. Passordet ditt forblir det samme.',
  resetLockedSubject: 'Logg på {product} igjen',
  resetLocked:
    'Det riktige passordet ble skrevet inn for kontoen {username} på {host}. Påloggingen ble avvist fordi det var for mange mislykkede forsøk før den. Velg et nytt passord først for å logge på.',
  resetBreached:
    'Det riktige passordet ble skrevet inn for kontoen {username} på {host}. Passordet finnes i en datalekkasje fra en annen tjeneste, så andre kan kjenne det. Velg et nytt passord først for å logge på.',
  resetLockedWarning: 'Hvis det ikke var deg, kjenner noen passordet ditt. Velg et nytt nå.',

  quoted: '«{text}»',
  confirmationSubject: 'Bekreft e-postadressen din for {product}',
  confirmationEntered: 'Denne adressen ble oppgitt for kontoen {username} på {host}.',
  confirmationInstruction: 'Hvis dette er kontoen din, bekrefter du adressen:',
  confirmationButton: 'Bekreft adressen',
  confirmationExpiry: 'Lenken virker én gang og utløper om {days, plural, one {# dag} other {# dager}}.',
  confirmationIgnore:
    'Hvis dette ikke er kontoen din, åpner du lenken og velger «Dette er ikke kontoen min». Da mister kontoen adressen.',

  invitationSubject: 'Du er invitert til {product}',
  invitationBy: '{inviter} har invitert deg til {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Du er invitert til {product}.',
  invitationAccount: 'Kontoen din {username} på {host} er klar. Velg hvordan du vil logge på:',
  invitationButton: 'Godta invitasjonen',
  invitationExpiry:
    'Lenken virker én gang og utløper om {days, plural, one {# dag} other {# dager}}. Etter det må du be om en ny invitasjon.',
  invitationIgnore: 'Hvis du ikke ventet denne invitasjonen, kan du se bort fra e-posten. Ikke del lenken.',

  organizationInvitationSubject: 'Invitasjon til {organization} hos {product}',
  organizationInvitationBy: '{inviter} har invitert deg til organisasjonen {organization} hos {host}.',
  organizationInvitationButton: 'Se invitasjonen',
  organizationEndingSubject: '{organization} hos {product} blir slettet',
  organizationEndingHeading: 'Organisasjonen din blir slettet',
  organizationEndingText:
    'En eier har bedt om at organisasjonen {organization} hos {host} slettes. Medlemskapene, API-tokenene og bedriftspåloggingen avsluttes samtidig. Kontoene til medlemmene blir værende.',
  organizationEndingDay: 'Sletting',
  organizationEndingKeep: 'Frem til da kan hver eier beholde organisasjonen.',
  organizationEndingButton: 'Se innstillingene',
  organizationEndingReason: 'Du får denne e-posten fordi du er eier av organisasjonen.',

  signUpSubject: 'Opprett kontoen din for {product}',
  signUpEntered:
    'Denne adressen ble oppgitt for å opprette en konto på {host}. Åpne denne lenken for å fortsette:',
  signUpButton: 'Opprett en konto',
  signUpExpiry: 'Lenken fungerer én gang og utløper om {hours, plural, one {# time} other {# timer}}.',
  signUpIgnore:
    'Hvis dette ikke var deg, kan du se bort fra denne e-posten. Uten lenken blir ingen konto opprettet.',
  signUpKnownSubject: 'Du har allerede en konto for {product}',
  signUpKnown:
    'Denne adressen ble oppgitt for å opprette en konto på {host}. Du har allerede en konto med den.',
  signUpKnownInstruction: 'Logg inn med denne adressen. Hvis du har glemt passordet, velger du et nytt der:',
  signUpKnownIgnore: 'Hvis dette ikke var deg, kan du se bort fra denne e-posten. Ingenting er endret.',
  signUpWaitingSubject: 'Noen venter på en konto for {product}',
  signUpWaiting: '{person} ønsker en konto på {host} og har bekreftet denne adressen.',
  signUpWaitingButton: 'Ta stilling til forespørselen',
  signUpWaitingReason: 'Du får denne e-posten fordi registreringsreglene nevner deg.',

  codeSubject: 'Påloggingskoden din for {product}',
  codeInstruction: 'Bruk denne koden for å logge på kontoen {username} på {host}:',
  codePlace: 'Skriv den inn på siden der du ba om den. Den virker ikke noe annet sted.',
  codeExpiry: 'Koden virker én gang og utløper om {minutes, plural, one {# minutt} other {# minutter}}.',
  codeOrigin: 'Det ble bedt om den fra adressen {address}.',
  codeIgnore: 'Hvis det ikke var deg, ser du bort fra e-posten og gir ikke koden videre.',
  joinCodeSubject: 'Koden din for å bli med i {organization} hos {product}',
  joinCodeInstruction:
    'Bruk denne koden for å bli med i organisasjonen {organization} hos {host} med kontoen {username}:',

  linkSubject: '{name} (via {product}): {subject}',
  linkHeading: '{name} har delt noe med deg',
  linkHeadingObject: '{name} har delt {object} med deg',
  linkHeadingCount: '{name} har delt {count, plural, one {# element} other {# elementer}} med deg',
  linkBehalf: 'Sendt på vegne av {account}, som har en konto på {host}.',
  linkQuote: '{name} skriver:',
  linkButton: 'Åpne lenken',
  linkPassword: 'Den er beskyttet med et passord som ikke står i denne e-posten. Be {name} om det.',
  linkSignIn: 'Du må logge på for å åpne den.',
  linkSharing: 'Alle som har denne lenken, kan åpne den. Ikke del den.',
  linkSharingWithPassword: 'Alle som har denne lenken og passordet, kan åpne den. Ikke del dem.',
  linkViews: 'Den kan åpnes {count, plural, one {én gang} other {# ganger}}.',
  linkExpiry: 'Den virker til {time}.',
  linkIgnore: 'Hvis du ikke kjenner {name} eller ikke ventet denne e-posten, kan du se bort fra den.',

  certificateExpiresSubject: 'Et SAML-sertifikat utløper om {days, plural, one {en dag} other {# dager}}',
  certificateExpiredSubject: 'Et SAML-sertifikat har utløpt',
  certificateExpires:
    'Et sertifikat for SAML-leverandøren {provider} (ID {id}) på {host} utløper {time}. Hvis det ikke byttes ut, kan pålogging via denne leverandøren slutte å virke.',
  certificateExpired:
    'Et sertifikat for SAML-leverandøren {provider} (ID {id}) på {host} utløp {time}. Hvis det ikke byttes ut, kan pålogging via denne leverandøren slutte å virke.',
  certificateOfProvider:
    'Sertifikatet tilhører identitetsleverandøren. Når leverandøren har et nytt, åpner du leverandøren i administrasjonen og oppdaterer metadataene. Hvis metadataene har en adresse, skjer dette automatisk hver dag.',
  certificateOfService:
    'Sertifikatet tilhører denne tjenesten. Åpne leverandøren i administrasjonen, og publiser en ny nøkkel. Når identitetsleverandøren har lest metadataene på nytt, bytter du til den nye nøkkelen samme sted.',
  certificateButton: 'Åpne leverandøren',
  certificateReason: 'Administratorer får denne e-posten 60, 30 og 7 dager før et sertifikat utløper.',

  setupMetadataSubject: 'Metadata ble sendt for {provider}',
  setupLiveSubject: '{provider} er i drift',
  setupMetadata:
    'Noen med oppsettslenken din har sendt metadataene til en identitetsleverandør for {provider} (ID {id}) hos {host}.',
  setupLive:
    'Tilkoblingen {provider} (ID {id}) hos {host} er i drift. Pålogging skjer nå med denne identitetsleverandøren.',
  setupEntityId: 'Entitets-ID',
  setupSource: 'Metadata',
  setupPasted: 'limt inn',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Domene',
  setupCompare:
    'Den som eier et sertifikat, kan logge på som personene i bedriften. Sammenlign sertifikatene med kunden, og ikke på e-post. Hvis et av dem er feil, sletter du tilkoblingen.',
  setupProposal:
    'Metadataene på denne adressen blir ikke lest igjen før du velger adressen i administrasjonen.',
  setupReason: 'Du får denne e-posten fordi du opprettet oppsettslenken.',

  noticeAccount: 'Konto',
  noticeAccountValue: '{username} på {host}',
  noticeTime: 'Tidspunkt',
  noticeFrom: 'Fra',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Av',
  noticeByAdministrator: 'en administrator',
  noticeQuestion:
    'Hvis det var deg, kan du se bort fra e-posten. Hvis det ikke var deg, åpner du denne lenken:',
  noticeButton: 'Det var ikke meg',
  noticePage: 'Siden forklarer hva som skjer, før noe blir endret.',
  noticeExpiry: 'Lenken utløper om {days, plural, one {# dag} other {# dager}}.',
  noticeAskAdministrator: 'Hvis du ikke ventet dette, spør du administratoren din.',
  noticeReason: 'Du kan ikke slå av disse e-postene, fordi de beskytter kontoen din.',
  deviceWithBrowser: '{browser} på {system}',
  deviceWithoutBrowser: 'et ukjent program på {system}',
  deviceUnknown: 'et ukjent program',

  passwordChangedSubject: 'Passordet ditt ble endret',
  passwordChangedText: 'Passordet for kontoen din ble endret. Alle andre økter ble avsluttet.',
  passwordResetSubject: 'Passordet ditt ble tilbakestilt',
  passwordResetText: 'Et nytt passord ble valgt med en lenke for tilbakestilling. Alle økter ble avsluttet.',
  passwordSetSubject: 'En administrator har valgt et nytt passord for deg',
  passwordSetText: 'En administrator har valgt et nytt passord for kontoen din. Alle økter ble avsluttet.',
  emailChangedSubject: 'E-postadressen din ble endret',
  emailChangedText:
    'Kontoen din har nå en annen e-postadresse. E-post fra kontoen sendes ikke lenger til denne adressen.',
  emailMovedSubject: 'E-postadressen din hører nå til en annen konto',
  emailMovedText:
    'Bedriften din logget inn noen med denne adressen. Adressen hører nå til den kontoen, og kontoen nedenfor har den ikke lenger. Alt annet i kontoen er som før, og du logger inn på samme måte. Hvis begge kontoene er dine, kan du be en administrator slå dem sammen.',
  secondFactorEnabledSubject: 'Totrinnsbekreftelse ble slått på',
  secondFactorEnabledText: 'Pålogging krever nå også en kode fra en autentiseringsapp.',
  secondFactorDisabledSubject: 'Totrinnsbekreftelse ble slått av',
  secondFactorDisabledText: 'Pålogging krever ikke lenger en kode fra en autentiseringsapp.',
  recoveryCodeUsedSubject: 'En gjenopprettingskode ble brukt',
  recoveryCodeUsedText:
    'En gjenopprettingskode ble brukt i stedet for koden fra autentiseringsappen. Den virker ikke flere ganger.',
  recoveryCodesRenewedSubject: 'Gjenopprettingskodene dine ble erstattet',
  recoveryCodesRenewedText:
    'Kontoen din har nye gjenopprettingskoder. De tidligere kodene virker ikke lenger.',
  deviceRememberedSubject: 'En nettleser blir husket',
  deviceRememberedText:
    'I en nettleser der den andre faktoren ble brukt, spør pålogginger med passordet ditt ikke etter den i en begrenset tid.',
  rememberedDeviceReusedSubject: 'En husket nettleser ble fjernet',
  rememberedDeviceReusedText:
    'Noen som kunne passordet ditt, brukte en gammel kopi av dataene til en husket nettleser. Nettleseren blir ikke lenger husket. Bytt passord hvis du ikke vet hvorfor.',
  passkeyAddedSubject: 'En passnøkkel ble lagt til',
  passkeyAddedText: 'En passnøkkel ble lagt til kontoen din. Den kan nå brukes til å logge på.',
  passkeyRemovedSubject: 'En passnøkkel ble fjernet',
  passkeyRemovedText:
    'En passnøkkel ble fjernet fra kontoen din. Den kan ikke lenger brukes til å logge på, og andre økter ble avsluttet.',
  passkeyClonedSubject: 'En passnøkkel ble avvist',
  passkeyClonedText:
    'En passnøkkel for kontoen din ble avvist, fordi det kan finnes en kopi av den. Fjern denne passnøkkelen hvis du ikke vet hvorfor.',
  passkeyRequiredSubject: 'Passordet ditt krever nå en passnøkkel',
  passkeyRequiredText: 'Pålogging med passordet ditt krever nå også en passnøkkel.',
  passkeyOptionalSubject: 'Passordet ditt krever ikke lenger en passnøkkel',
  passkeyOptionalText: 'Pålogging med passordet ditt krever ikke lenger en passnøkkel.',
  apiTokenCreatedSubject: 'Et API-token ble opprettet',
  apiTokenCreatedText:
    'Et nytt API-token ble opprettet for kontoen din. Programmer kan bruke det til å handle med tillatelsene dine.',
  apiTokenRevokedSubject: 'En administrator har slettet et av API-tokenene dine',
  apiTokenRevokedText:
    'En administrator har slettet et API-token for kontoen din. Det virker ikke lenger. Hvis et program brukte det, spør du administratoren hvorfor før du oppretter et nytt.',
  companyAccountLinkedSubject: 'En annen konto ble koblet til din',
  companyAccountLinkedText:
    'En konto hos en identitetsleverandør ble koblet til kontoen din. Den kan nå brukes til å logge på.',
  companyAccountUnlinkedSubject: 'En tilkoblet konto ble fjernet',
  companyAccountUnlinkedText:
    'En konto hos en identitetsleverandør er ikke lenger koblet til kontoen din. Den kan ikke lenger brukes til å logge på, og andre økter ble avsluttet.',
  signInByCompanySubject: 'Du logger nå inn gjennom bedriften',
  signInByCompanyText:
    'Kontoen din ble koblet til innloggingen til bedriften, fordi den har e-postadressen din der. Alle andre måter å logge inn på er avsluttet: passord, autentiseringsapp, passnøkler, API-tokener og andre tilkoblede kontoer. Logg inn gjennom bedriften for å legge til det du trenger igjen.',
  credentialLeakedSubject: 'Påloggingsinformasjon for kontoen din har lekket',
  credentialLeakedText:
    'En økt, et API-token eller en lenke for kontoen din ble funnet et sted der andre kunne lese det. Tilgangen ble avsluttet og virker ikke lenger. Hvis et program brukte den, oppretter du en ny. Fjern den gamle fra stedet der den ble publisert.',
  signInLockedSubject: 'For mange mislykkede forsøk på å logge på kontoen din',
  signInLockedText:
    'Det har vært 100 mislykkede forsøk på rad på å logge på kontoen din. Du kan logge på fra nettlesere og nettverk du har brukt tidligere. Tilbakestill passordet for å logge på fra andre steder.',
  emailRestoredSubject: 'E-postadressen din ble fjernet fra en konto',
  emailRestoredText:
    'Kontoen har fått tilbake sin tidligere e-postadresse. Noen med tilgang til den adressen meldte at de ikke hadde endret den. Hvis det var feil, spør du en administrator.',
  administratorAddedSubject: 'En ny administrator ble lagt til',
  administratorAddedText: 'En konto fikk administratortilgang. Brukeren kan nå gjøre alt her.',
  administratorGroupChangedSubject: 'En gruppe av administratorer ble endret',
  administratorGroupChangedText:
    'En gruppe fikk administratortilgang, eller en gruppe med slik tilgang fikk nye medlemmer. Medlemmene kan nå gjøre alt her.',
  administratorSignInSetSubject: 'Påloggingen til en administrator ble endret',
  administratorSignInSetText:
    'Noen andre endret passordet, e-postadressen eller en annen måte å logge på for en administrator.',
  accountDeletionRequestedSubject: 'Noen ba om å slette kontoen din',
  accountDeletionRequestedText:
    'Noen som er logget på kontoen din, ba om å få den slettet. Frem til da kan du trekke forespørselen tilbake på kontosiden din.',
  accountDeletionWithdrawnSubject: 'Forespørselen om å slette kontoen din ble trukket tilbake',
  accountDeletionWithdrawnText:
    'Noen som er logget på kontoen din, trakk tilbake forespørselen om å slette den. Kontoen blir værende. Hvis du fortsatt vil ha den slettet, kan du be om det på nytt på siden for kontoen din.',
  accountDeletionAskedSubject: 'En bruker ber om å få kontoen sin slettet',
  accountDeletionAskedText:
    'En bruker vil slutte, og i denne tjenesten er det administratorer som avgjør det.',
  accountDeletionAskedAct:
    'Brukeren kan ikke slette kontoen alene. Slett den i administrasjonen, eller spør brukeren hvis noe er uklart.',
  accountDeletionAskedButton: 'Åpne brukeren',
  administratorNoticeGroup: 'Gruppe',
  administratorNoticeAct:
    'Hvis du ikke ventet dette, ser du i revisjonsloggen og avslutter øktene til personen som gjorde det.',
  administratorNoticeButton: 'Åpne revisjonsloggen',
  administratorNoticeReason: 'Administratorer kan ikke slå av disse e-postene, fordi de beskytter tjenesten.',
  organizationOwnerAddedSubject: 'En organisasjon har fått en ny eier',
  organizationOwnerAddedText: 'En organisasjon har en ny eier. Eiere kan gjøre alt i den.',
  organizationTokenCreatedSubject: 'Et API-token for en organisasjon ble opprettet',
  organizationTokenCreatedText:
    'En organisasjon har et nytt API-token. Programmer handler med det for organisasjonen, også etter at den som opprettet det, har sluttet.',
  organizationSignInAddedSubject: 'En bedriftspålogging ble lagt til i en organisasjon',
  organizationSignInAddedText:
    'En organisasjon har en ny tilkobling til en identitetsleverandør. Når den virker, kan personer bli medlemmer gjennom den.',
  organizationDomainProvenSubject: 'Et domene for en organisasjon ble bekreftet',
  organizationDomainProvenText:
    'En organisasjon har et nytt bekreftet domene. Personer med adresser i dette domenet kan logge på med bedriftspåloggingen.',
  organizationRolesReportedSubject: 'Noen har meldt at kontoen deres ble stjålet',
  organizationRolesReportedText:
    'Noen i en organisasjon har meldt at endringer av kontoen ikke var deres. API-tokenene og de åpne invitasjonene siden da er avsluttet. Kontoen har siden da gitt disse medlemmene rollene deres. Rollene blir til du endrer dem.',
  directoryOwnerKeptSubject: 'Den siste eieren av en organisasjon forlot katalogen',
  directoryOwnerKeptText:
    'Katalogen til en organisasjon avsluttet den siste eieren. Øktene og påloggingen der er avsluttet. Medlemskapet består til noen andre er eier: Gjør et annet medlem til eier, så avslutter katalogen medlemskapet med neste forespørsel.',
  directoryPeopleLeftSubject: 'Mange personer forlot katalogen til en tilkobling',
  directoryPeopleLeftText:
    'I løpet av ti minutter avsluttet katalogen til en tilkobling mer enn 50 personer og mer enn en femtedel av alle. Tilgangene deres er avsluttet. Hvis dette var en feil, stopp katalogen på siden til tilkoblingen og hent personene tilbake der.',
  signInHookFailedSubject: 'Ingen kan logge på, fordi en funksjon i et produkt svikter',
  signInHookFailedText:
    'Tjenesten spør en funksjon i et produkt ved hver pålogging, og den gir ikke noe brukbart svar. Bare administratorer kan logge på, med en passnøkkel eller en ekstra faktor. Kontoen nedenfor gjorde det. Reparer funksjonen, eller slå av hooken i innstillingene for tjenesten.',
  directoryPeopleLeftButton: 'Se tilkoblingen',
  ownerNoticeOrganization: 'Organisasjon',
  ownerNoticeConcerns: 'Gjelder',
  ownerNoticeRoles: 'Roller gitt',
  ownerNoticeAct: 'Hvis du ikke ventet dette, se på det og avslutt det.',
  ownerNoticeButton: 'Se organisasjonen',
  signInEndedSubject: 'Du må sette opp påloggingen på nytt',
  signInEndedText:
    'Kontoen din fikk nye tillatelser. Noen som ikke har dem, eller påloggingen til bedriften din, hadde bestemt hvordan du logger på. Derfor virker det ikke lenger. Du får en lenke for å velge et nytt passord, eller administratoren din hjelper deg. Deretter kan du koble til bedriftskontoen igjen på kontosiden din.',
  newDeviceSubject: 'Ny pålogging på kontoen din',
  newDeviceText: 'Kontoen din ble brukt til å logge på fra en enhet som ikke er brukt tidligere.',
}
