import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'État du service',
  allGood: 'Tout fonctionne.',
  failing: 'Quelque chose ne fonctionne pas. Consultez les éléments ci-dessous.',
  parts: 'Éléments',
  table: 'Base de données',
  vault: 'Chiffrement des secrets',
  mail: 'Envoi des e-mails',
  works: 'Fonctionne',
  fails: 'Ne fonctionne pas',
  off: 'Non configuré',
  took: '{count, plural, one {# milliseconde} other {# millisecondes}}',
  version: 'Version',
  again: 'Vérifier à nouveau',
  forDevelopers: 'Pour les développeurs',
  reference: 'Référence de l’API',
}
