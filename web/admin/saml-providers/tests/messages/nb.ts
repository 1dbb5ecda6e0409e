import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Resultat av testpåloggingen',
  accepted: 'Alt fungerer. Man kan logge på med {name}.',
  refused: 'Pålogging med {name} fungerer ikke ennå. Endre dette, og test på nytt.',
  testedAt: 'Testet {time}',
  missing: 'Dette resultatet er ikke lenger tilgjengelig. Resultater lagres bare en kort tid.',
  again: 'Test på nytt',
  toChange: 'Dette må endres',
  checks: 'Dette ble kontrollert',
  works: 'Fungerer',
  change: 'Må endres',
  notChecked: 'Ikke kontrollert ennå',
  technical: 'Tekniske detaljer',
  person: 'Hvem leverandøren sier at du er',
  nameId: 'Navn hos leverandøren',
  email: 'E-post',
  fullName: 'Fullt navn',
  groups: 'Grupper',
  user: 'Bruker her',
  noUser: 'Ikke koblet til ennå',
  message: 'Leverandøren sender et svar som kan leses',
  messageAdvice: 'Kontroller at leverandøren sender svaret som SAML 2.0 og uendret til svaradressen.',
  status: 'Leverandøren lot deg logge på',
  statusAdvice: 'Leverandøren avviste. Kontroller der at kontoen din kan bruke denne applikasjonen.',
  signature: 'Svaret er ekte: signaturen stemmer med sertifikatet',
  signatureAdvice:
    'Leverandøren har trolig et nytt sertifikat. Oppdater metadataene, og kontroller at det signeres med SHA-256.',
  issuer: 'Svaret kommer fra denne leverandøren',
  issuerAdvice:
    'Leverandørens ID her er ulik den som sendes. Les metadataene på nytt, eller rett ID-en i innstillingene.',
  address: 'Svaret er til svaradressen til denne tjenesten',
  addressAdvice: 'Skriv inn nøyaktig denne svaradressen (ACS-URL) hos leverandøren: {value}',
  audience: 'Svaret er til denne tjenesten og denne påloggingen',
  audienceAdvice:
    'Skriv inn nøyaktig denne entity ID-en (audience) hos leverandøren: {value}. Start hver pålogging her og ikke hos leverandøren.',
  time: 'Klokkene stemmer overens',
  timeAdvice:
    'Leverandørens klokke går feil, eller svaret tok for lang tid. Still klokken etter nettverkstid, og test på nytt.',
  subject: 'Svaret navngir personen, alltid på samme måte',
  subjectAdvice:
    'Angi hos leverandøren hvilket navn som sendes: e-postadressen eller en ID som aldri endres.',
  account: 'Personen har en bruker her, eller får en',
  accountAdvice:
    'Slå på «Opprett brukere ved første pålogging», eller la personen koble til kontoen på kontosiden. En deaktivert bruker må aktiveres.',
}
