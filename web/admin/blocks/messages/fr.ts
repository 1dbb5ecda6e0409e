import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Adresses bloquées',
  intro: 'Ce qui est refusé en ce moment, et les adresses e-mail qui ne reçoivent rien.',
  limits: 'Trop de tentatives',
  noLimits: 'Rien n’est refusé en ce moment.',
  suppressed: 'Adresses qui ne reçoivent pas d’e-mails',
  noSuppressed: 'Toutes les adresses reçoivent les e-mails.',
  findAddress: 'Rechercher une adresse exacte',
  who: 'Qui',
  what: 'Motif',
  since: 'Depuis',
  until: 'Jusqu’à',
  untilSuccess: 'Jusqu’au prochain succès',
  user: 'Utilisateur {number}',
  network: 'Réseau {address}',
  link: 'Lien d’accès {number}',
  unknown: 'Inconnu',
  signInAttempts: 'Tentatives de connexion',
  linkAttempts: 'Tentatives d’ouverture de liens',
  emails: 'E-mails demandés',
  otherRequests: 'Autres demandes',
  bounce: 'Un e-mail n’a pas pu être remis',
  complaint: 'Le destinataire a signalé un e-mail indésirable',
  lift: 'Lever',
  liftLimit: 'Lever le blocage ?',
  liftLimitText: '{who} peut réessayer immédiatement. Un attaquant pourrait aussi continuer.',
  liftAddressText:
    '{who} recevra de nouveau des e-mails. Faites-le une fois la cause résolue, car les rejets nuisent à la réputation de l’expéditeur.',
  lifted: 'Le blocage est levé.',
}
