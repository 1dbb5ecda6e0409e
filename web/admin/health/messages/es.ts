import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Estado del servicio',
  allGood: 'Todo funciona.',
  failing: 'Algo no funciona. Consulte las partes de abajo.',
  parts: 'Partes',
  table: 'Base de datos',
  vault: 'Cifrado de secretos',
  mail: 'Envío de correos',
  works: 'Funciona',
  fails: 'No funciona',
  off: 'Sin configurar',
  took: '{count, plural, one {# milisegundo} other {# milisegundos}}',
  version: 'Versión',
  again: 'Comprobar de nuevo',
  forDevelopers: 'Para desarrolladores',
  reference: 'Referencia de la API',
}
