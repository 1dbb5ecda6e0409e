import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const de: Translation<typeof en> = {
  heading: 'Benutzervorlagen',
  intro: 'Benutzer, die ein Identitätsanbieter anlegt, erhalten die Werte einer Vorlage.',
  template: 'Vorlage',
  values: 'Werte',
  newTemplate: 'Neue Vorlage',
  empty: 'Es gibt noch keine Benutzervorlagen.',
  deleteTemplate: 'Vorlage löschen',
  deleteTemplateText: 'Damit erstellte Benutzer bleiben unverändert.',
}
