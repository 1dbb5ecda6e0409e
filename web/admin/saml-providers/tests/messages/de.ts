import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Ergebnis der Testanmeldung',
  accepted: 'Alles funktioniert. Die Anmeldung mit {name} ist möglich.',
  refused: 'Die Anmeldung mit {name} funktioniert noch nicht. Ändern Sie Folgendes und testen Sie erneut.',
  testedAt: 'Getestet: {time}',
  missing: 'Dieses Ergebnis ist nicht mehr verfügbar. Ergebnisse werden kurz aufbewahrt.',
  again: 'Erneut testen',
  toChange: 'Was zu ändern ist',
  checks: 'Was geprüft wurde',
  works: 'Funktioniert',
  change: 'Muss geändert werden',
  notChecked: 'Noch nicht geprüft',
  technical: 'Technische Einzelheiten',
  person: 'Wer Sie laut Anbieter sind',
  nameId: 'Name beim Anbieter',
  email: 'E-Mail',
  fullName: 'Vollständiger Name',
  groups: 'Gruppen',
  user: 'Benutzer hier',
  noUser: 'Noch nicht verbunden',
  message: 'Der Anbieter sendet eine lesbare Antwort',
  messageAdvice:
    'Prüfen Sie, ob der Anbieter seine Antwort als SAML 2.0 und unverändert an die Antwortadresse sendet.',
  status: 'Der Anbieter hat Ihre Anmeldung zugelassen',
  statusAdvice: 'Der Anbieter hat abgelehnt. Prüfen Sie dort, ob Ihr Konto diese Anwendung verwenden darf.',
  signature: 'Die Antwort ist echt: Ihre Signatur passt zum Zertifikat',
  signatureAdvice:
    'Der Anbieter hat wahrscheinlich ein neues Zertifikat. Aktualisieren Sie die Metadaten und prüfen Sie, ob er mit SHA-256 signiert.',
  issuer: 'Die Antwort kommt von diesem Anbieter',
  issuerAdvice:
    'Die Kennung des Anbieters weicht hier von der gesendeten ab. Lesen Sie die Metadaten neu oder korrigieren Sie die Kennung.',
  address: 'Die Antwort gilt der Antwortadresse dieses Dienstes',
  addressAdvice: 'Tragen Sie beim Anbieter genau diese Antwortadresse (ACS-URL) ein: {value}',
  audience: 'Die Antwort gilt diesem Dienst und dieser Anmeldung',
  audienceAdvice:
    'Tragen Sie beim Anbieter genau diese Entity-ID (Audience) ein: {value}. Beginnen Sie jede Anmeldung hier und nicht beim Anbieter.',
  time: 'Die Uhren stimmen überein',
  timeAdvice:
    'Die Uhr des Anbieters geht falsch, oder die Antwort kam zu spät. Stellen Sie die Uhr nach der Netzwerkzeit und testen Sie erneut.',
  subject: 'Die Antwort benennt die Person, immer auf dieselbe Weise',
  subjectAdvice:
    'Stellen Sie beim Anbieter ein, welchen Namen er sendet: die E-Mail-Adresse oder eine Kennung, die sich nie ändert.',
  account: 'Die Person hat hier einen Benutzer oder bekommt einen',
  accountAdvice:
    'Schalten Sie „Benutzer bei der ersten Anmeldung anlegen“ ein, oder lassen Sie die Person ihr Konto auf der Kontoseite verbinden. Gesperrte Benutzer müssen aktiviert werden.',
}
