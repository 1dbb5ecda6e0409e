import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  newPassword: 'Nueva contraseña',
  ruleLength: 'Al menos {count, plural, one {# carácter} other {# caracteres}}',
  ruleContains: 'Al menos {count} × {what}',
  ruleForm: 'El formato que exige la organización',
  ruleNames: 'Sin el nombre de usuario ni la dirección de correo',
  ruleGuess: 'Difícil de adivinar y ausente de filtraciones de datos conocidas',
  met: '(cumplido)',
  strength: 'Seguridad: {strength}',
  veryWeak: 'muy baja',
  weak: 'baja',
  fair: 'media',
  good: 'buena',
  strong: 'alta',
  tooLong:
    'La contraseña es demasiado larga. El máximo es {count, plural, one {# carácter} other {# caracteres}}.',
  tooShort:
    'La contraseña es demasiado corta. El mínimo es {count, plural, one {# carácter} other {# caracteres}}.',
  containsOwnName:
    'La contraseña no puede contener el nombre de usuario ni la dirección de correo, tampoco al revés.',
  containsServiceName:
    'La contraseña no puede ser una variación del propio nombre ni del nombre de este servicio.',
  ruleNotMet: 'La contraseña necesita al menos {count} × {what}.',
  formNotMet: 'La contraseña no tiene el formato que exige la organización.',
  tooCostlyToCheck: 'La contraseña es demasiado larga para comprobarla. Conviene elegir una más corta.',
  tooEasyToGuess:
    'La contraseña es demasiado fácil de adivinar. Conviene alargarla o usar palabras menos comunes.',
  commonPassword: 'Muchas personas usan esta contraseña o una parecida. Es necesario elegir otra.',
  breachedPassword: 'Esta contraseña apareció en una filtración de datos. Es necesario elegir otra.',
  samePassword: 'Esta es la contraseña actual. Es necesario elegir otra.',
  notAccepted: 'Esta contraseña no se acepta. Es necesario elegir otra.',
}
