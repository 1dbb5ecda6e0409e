import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Gesperrte Adressen',
  intro: 'Was im Moment abgelehnt wird, und welche E-Mail-Adressen nichts erhalten.',
  limits: 'Zu viele Versuche',
  noLimits: 'Im Moment wird nichts abgelehnt.',
  suppressed: 'Adressen, die keine E-Mails erhalten',
  noSuppressed: 'Alle Adressen erhalten E-Mails.',
  findAddress: 'Nach genauer Adresse suchen',
  who: 'Wer',
  what: 'Grund',
  since: 'Seit',
  until: 'Bis',
  untilSuccess: 'Bis zum nächsten Erfolg',
  user: 'Benutzer {number}',
  network: 'Netzwerk {address}',
  link: 'Zugangslink {number}',
  unknown: 'Unbekannt',
  signInAttempts: 'Anmeldeversuche',
  linkAttempts: 'Versuche, Links zu öffnen',
  emails: 'Angeforderte E-Mails',
  otherRequests: 'Andere Anfragen',
  bounce: 'Eine E-Mail war nicht zustellbar',
  complaint: 'Der Empfänger hat eine E-Mail als unerwünscht gemeldet',
  lift: 'Aufheben',
  liftLimit: 'Sperre aufheben?',
  liftLimitText: '{who} kann es sofort wieder versuchen. Auch ein Angreifer könnte weitermachen.',
  liftAddressText:
    '{who} erhält wieder E-Mails. Tun Sie dies erst, wenn die Ursache behoben ist, denn Rückläufer schaden dem Ruf des Absenders.',
  lifted: 'Die Sperre ist aufgehoben.',
}
