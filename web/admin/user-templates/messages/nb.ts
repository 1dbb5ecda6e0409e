import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const nb: Translation<typeof en> = {
  heading: 'Brukermaler',
  intro: 'Brukere som en identitetsleverandør oppretter, får verdiene fra en mal.',
  template: 'Mal',
  values: 'Verdier',
  newTemplate: 'Ny mal',
  empty: 'Det finnes ingen brukermaler ennå.',
  deleteTemplate: 'Slett malen',
  deleteTemplateText: 'Brukere som er opprettet med den, forblir uendret.',
}
