import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const nl: Translation<typeof en> = {
  goToSignIn: 'Naar de inlogpagina',
  support: 'Hulp',
  tryAgain: 'Opnieuw proberen',
  requestNumber: 'Aanvraagnummer: {number}',
  minutes: '{count, plural, one {# minuut} other {# minuten}}',
  seconds: '{count, plural, one {# seconde} other {# seconden}}',
  notFoundTitle: 'Pagina niet gevonden',
  notFound:
    'Er is geen pagina op dit adres. Misschien is het adres niet volledig of is de pagina verplaatst.',
  noPageTitle: 'Deze pagina kan niet worden weergegeven',
  noPage: 'Dit adres is bedoeld voor programma’s en heeft geen pagina.',
  tooManyTitle: 'Te veel pogingen',
  tooMany: 'Er zijn te veel pogingen gedaan. Wacht {wait} en probeer het dan opnieuw.',
  notSignedInTitle: 'Je bent niet ingelogd',
  forbiddenTitle: 'Dit mag je niet doen',
  didNotWorkTitle: 'Dat is niet gelukt',
  wrongTitle: 'Er is iets misgegaan',
  signOutFailedTitle: 'Uitloggen mislukt',
  signInFailedTitle: 'Inloggen mislukt',
  expiredTitle: 'Deze inlogpoging is niet meer geldig',
  providerMissing:
    'Deze link hoort bij een manier van inloggen die niet meer beschikbaar is. Ga naar de inlogpagina en kies een andere.',
  signInFirst: 'Ga naar de inlogpagina, log in en probeer het opnieuw.',
  forbidden: 'Je hebt geen toestemming om dit te doen. Heb je die nodig? Vraag het een beheerder.',
  conflict: 'Iemand anders heeft op hetzelfde moment iets gewijzigd. Probeer het opnieuw.',
  ourSide:
    'Er is bij ons iets misgegaan. Probeer het zo opnieuw. Blijft het probleem bestaan, geef dan het aanvraagnummer hieronder door aan een beheerder.',
  yourProvider: 'je inlogprovider',
  startLinkInvalid:
    'De link waarmee je hier kwam om met {provider} in te loggen, is niet geldig. Begin opnieuw, hier of op de inlogpagina.',
  responseUnreadable:
    'We konden het antwoord van {provider} niet lezen, dus je bent niet ingelogd. Probeer het opnieuw. Blijft het probleem bestaan, neem dan contact op met een beheerder.',
  signOutUnreadable:
    'We konden het antwoord van {provider} niet gebruiken. Misschien ben je hier nog ingelogd. Kijk dat na op de inlogpagina en log daar uit.',
  linkInvalid: 'Deze link is niet geldig. Ga naar de inlogpagina en begin daar.',
  failed:
    'Inloggen met {provider} is niet gelukt. Probeer het opnieuw. Blijft het probleem bestaan, geef dan het aanvraagnummer hieronder door aan een beheerder.',
  noCookie:
    'Je browser heeft een cookie die nodig is om in te loggen niet bewaard. Sta cookies toe voor {host} en log opnieuw in.',
  notStarted:
    'Het inloggen met {provider} is niet hier begonnen, of het is te lang geleden begonnen. Begin hier opnieuw.',
  otherBrowser: 'Het inloggen is in een andere browser begonnen. Log in deze browser opnieuw in.',
  ended: 'Het inloggen is al afgerond of duurde te lang. Log opnieuw in.',
  signedOut: '{provider} heeft je intussen uitgelogd. Log opnieuw in.',
  signUpRefused:
    'Er is geen account voor je gemaakt. Vraag het de beheerders van deze dienst als je denkt dat je er een zou moeten krijgen.',
  noAccount:
    'Je account daar is niet gekoppeld aan een account hier. Heb je hier een account? Koppel ze dan nu: log hier in en bevestig het daarna. Vraag het anders aan een beheerder.',
  needsInvitation:
    'Nieuwe accounts hebben hier een uitnodiging nodig. Als je er een hebt, open dan de link en kies daar {provider}.',
  connectAccounts: 'Ik heb hier een account: inloggen en koppelen',
  accountThere: 'Bij {provider} ben je {account}.',
  switchQuestion: 'Doorgaan als {account}?',
  switchWarning:
    'Dat is hier een ander account. Heb je niet net zelf ingelogd met {provider}? Blijf dan ingelogd als {user}.',
  switchYes: 'Doorgaan als {account}',
  switchNo: 'Ingelogd blijven als {user}',
  switchDone: 'Je bent ingelogd als {account}',
  connectQuestion: '{account} van {provider} aan je account {user} koppelen?',
  connectWarning:
    'Wie daarna bij {provider} inlogt als {account}, is hier ingelogd als {user}. Koppel alleen een account dat van jou is.',
  connectYes: 'Koppelen',
  connectNo: 'Niet koppelen',
  connectDone: 'De accounts zijn gekoppeld',
  createQuestion: 'Hier een account maken?',
  createUnknown:
    'Het is nog niet gekoppeld aan een account hier. Heb je hier al een account, koppel dat dan.',
  createYes: 'Account maken',
  acceptTerms: 'Ik ga akkoord met de {terms}',
  terms: 'gebruiksvoorwaarden (versie {version})',
  codeQuestion: 'Voer je code in',
  codeLabel: 'Code uit je authenticator-app, of een herstelcode',
  codeWrong: 'De code is onjuist, verlopen of al gebruikt. Wacht op de volgende.',
  secondFactorNeeded:
    'Je account heeft een tweede bewijs van identiteit nodig. Log op de inlogpagina in met je passkey, of met je wachtwoord en een code.',
  codeDone: 'Je bent ingelogd',
  otherProvider: 'Je bedrijf vereist dat je inlogt met {provider}.',
  disabled: 'Je account is hier uitgeschakeld of verlopen. Neem contact op met een beheerder.',
  taken:
    'Je account bij {provider} hoort hier bij een andere gebruiker. Log daarmee in of vraag het een beheerder.',
  signInToLink: 'Log eerst hier in. Koppel daarna je account bij {provider}.',
  organizationInactive:
    'Je organisatie kan hier op dit moment niet worden gebruikt. Vraag het de beheerder ervan.',
  organizationFull:
    'Je organisatie heeft hier het maximale aantal leden. Vraag de beheerder ervan om een plaats.',
  notMember: 'Je bent geen lid van deze organisatie. Vraag de beheerder ervan om je toe te voegen.',
  needsHttps:
    '{provider} werkt alleen met een https-adres met een domeinnaam, en {host} is dat niet. Log hier op een andere manier in.',
  noNewProof:
    '{provider} heeft je niet opnieuw laten inloggen, en dat is hier wel nodig. Log daar uit en probeer het opnieuw. Blijft het probleem bestaan, neem dan contact op met een beheerder.',
  oldKey:
    'Het antwoord van {provider} was niet te lezen, net als eerdere antwoorden. Een beheerder moet de verbinding met {provider} vernieuwen.',
  appRequestInvalid:
    'De app heeft een ongeldig verzoek gestuurd. Ga terug naar de app of neem contact op met de makers ervan.',
  appSignOutInvalid: 'De app heeft een ongeldig verzoek gestuurd. Je bent nog ingelogd.',
  appExpired:
    'Het inloggen is al afgerond, is verlopen of is in een andere browser begonnen. Ga terug naar de app en log opnieuw in.',
  appOther: 'Ga terug naar de app en probeer het opnieuw.',
  signOutTitle: 'Uitloggen?',
  signOutFrom: 'Je komt van {app}.',
  signOutAll: 'Je wordt uitgelogd bij alle apps die dit account in deze browser gebruiken.',
  signOut: 'Uitloggen',
  staySignedIn: 'Ingelogd blijven',
  deviceTitle: 'Inloggen op een apparaat',
  deviceEnter: 'Voer de code in die je apparaat toont.',
  deviceCode: 'Code',
  deviceUnknown: 'Deze code is onjuist of verlopen. Controleer de code op je apparaat.',
  deviceNext: 'Volgende',
  deviceSignInTo: 'Inloggen bij {app}?',
  deviceUser: 'Je bent ingelogd als {user}.',
  deviceOtherUser: 'Een ander account gebruiken',
  deviceCompare:
    'Ga alleen door als je apparaat deze code toont en je daar zelf bent begonnen met inloggen bij {app}. Annuleer als iemand je de code of een link heeft gestuurd.',
  deviceGets: '{app} krijgt:',
  deviceGetsId: 'je gebruikers-ID, en wanneer en hoe je bent ingelogd',
  deviceGetsProfile: 'je naam, gebruikersnaam en taal',
  deviceGetsEmail: 'je e-mailadres',
  deviceGetsPhone: 'je telefoonnummer',
  deviceGetsAddress: 'je postadres',
  deviceGetsValue: '{what}: {value}',
  deviceGetsGroups: 'je groepen',
  deviceGetsPermissions: 'je machtigingen',
  deviceGetsAttributes: 'verdere gegevens over je',
  deviceGetsOrganization: 'je organisatie en je rollen daarin',
  deviceGetsAudience: 'toegang namens jou tot {audience}',
  deviceGetsOffline: 'toegang totdat je die beëindigt op je accountpagina',
  requestChanged:
    'Dit verzoek is veranderd sinds je de pagina hebt geopend. Er is nog niets gebeurd. Lees het opnieuw voordat je antwoordt.',
  deviceContinue: 'Doorgaan',
  deviceCancel: 'Annuleren',
  organizationQuestion: 'Kies een organisatie',
  organizationFor: 'Je gaat verder naar {app} voor de organisatie die je kiest.',
  consentQuestion: '{app} toegang geven?',
  consentWarning:
    'Geen beheerder heeft deze app geregistreerd. Ga alleen verder als je de app net zelf hebt gestart en {app} vertrouwt.',
  nativeAppWarning:
    'Elk programma op dit apparaat kan zich voordoen als {app}. Ga alleen verder als je daar net zelf bent begonnen met inloggen.',
  consentAddress: 'Adres van de app: {address}',
  consentLeadsTo: 'Daarna ga je verder naar {target}.',
  deviceDoneTitle: 'Je apparaat is ingelogd',
  deviceDone: 'Ga terug naar {app} op je apparaat. Je kunt deze pagina sluiten.',
  deviceDeniedTitle: 'Geannuleerd',
  deviceDenied: '{app} is niet ingelogd op het apparaat. Je kunt deze pagina sluiten.',
}
