import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Reglas de acceso',
  passwords: 'Contraseñas',
  passwordsIntro: 'Lo que deben cumplir las contraseñas nuevas. Las existentes siguen funcionando.',
  minLength: 'Número mínimo de caracteres',
  minEntropy: 'Aleatoriedad mínima en bits',
  emptyForNone: 'Vacío: sin requisito.',
  noPwned: 'Rechazar contraseñas comunes y de filtraciones conocidas',
  groups: 'Caracteres exigidos',
  groupName: 'Nombre, como «un dígito»',
  groupRegex: 'Caracteres, como [0-9]',
  minCount: 'Cuántos',
  addGroup: 'Añadir caracteres',
  removeGroup: 'Quitar {name}',
  regex: 'Forma de toda la contraseña (expresión)',
  examples: 'Probar',
  examplesIntro: 'Se comprueba en el navegador con las reglas de arriba, antes de guardar.',
  example: 'Un ejemplo propio',
  meets: 'Cumple las reglas',
  misses: 'Falta: {rules}',
  secondFactor: 'Segundo factor',
  secondFactorIntro:
    'Quién necesita un código de una aplicación o una llave de acceso además de la contraseña.',
  forEverybody: 'Todos los usuarios necesitan un segundo factor',
  forPermissions: 'Usuarios con uno de estos permisos',
  forGroups: 'Miembros de estos grupos',
  graceDays: 'Días para configurarlo',
  passwordOnly: 'Número mínimo de caracteres sin segundo factor',
  emailCodes: 'Permitir iniciar sesión con un código por correo',
  emailCodesHint: 'Quien lea el buzón podrá iniciar sesión.',
}
