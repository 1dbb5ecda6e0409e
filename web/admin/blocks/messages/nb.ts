import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Sperrede adresser',
  intro: 'Hva som avvises akkurat nå, og hvilke e-postadresser som ikke mottar noe.',
  limits: 'For mange forsøk',
  noLimits: 'Ingenting avvises akkurat nå.',
  suppressed: 'Adresser som ikke mottar e-post',
  noSuppressed: 'Alle adresser mottar e-post.',
  findAddress: 'Finn en nøyaktig adresse',
  who: 'Hvem',
  what: 'Årsak',
  since: 'Siden',
  until: 'Til',
  untilSuccess: 'Til neste vellykkede forsøk',
  user: 'Bruker {number}',
  network: 'Nettverk {address}',
  link: 'Tilgangslenke {number}',
  unknown: 'Ukjent',
  signInAttempts: 'Påloggingsforsøk',
  linkAttempts: 'Forsøk på å åpne lenker',
  emails: 'Forespurte e-poster',
  otherRequests: 'Andre forespørsler',
  bounce: 'En e-post kunne ikke leveres',
  complaint: 'Mottakeren meldte en e-post som uønsket',
  lift: 'Opphev',
  liftLimit: 'Oppheve sperren?',
  liftLimitText: '{who} kan prøve igjen med en gang. En angriper kan også fortsette.',
  liftAddressText:
    '{who} mottar e-post igjen. Gjør dette når årsaken er løst, for avviste e-poster skader avsenderens omdømme.',
  lifted: 'Sperren er opphevet.',
}
