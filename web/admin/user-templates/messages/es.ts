import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Plantillas de usuario',
  intro: 'Los usuarios que crea un proveedor de identidad reciben los valores de una plantilla.',
  template: 'Plantilla',
  values: 'Valores',
  newTemplate: 'Nueva plantilla',
  empty: 'Todavía no hay plantillas.',
  deleteTemplate: 'Eliminar esta plantilla',
  deleteTemplateText: 'Los usuarios ya creados no cambian.',
}
