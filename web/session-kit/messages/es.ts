import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  confirmHeading: 'Confirme su identidad',
  confirmText: 'Por seguridad, confirme su identidad. Después se hará el cambio.',
  confirmBySigningIn: 'Por seguridad, inicie sesión de nuevo y repita el cambio.',
  confirmWithPasskey: 'Confirmar con una llave de acceso',
  confirmWithProvider: 'Continuar con el servicio de inicio de sesión',
  confirm: 'Confirmar',
  password: 'Contraseña',
  code: 'Código de la aplicación de autenticación',
  codeHint: 'También se puede introducir un código de recuperación.',
  signIn: 'Iniciar sesión',
  signInAgain: 'Iniciar sesión de nuevo',
  wrongPassword: 'Esta no es la contraseña actual.',
  wrongCode: 'El código es incorrecto o ya se ha usado. Introduzca el más reciente.',
  wrongPasskey: 'No se ha aceptado esta llave de acceso. Use una llave de acceso de su cuenta.',
  passkeyRequired: 'La contraseña requiere además una llave de acceso. Confirme con la llave de acceso.',
  signedOutHeading: 'La sesión ha terminado',
  signedOutText: 'Inicie sesión de nuevo para volver a esta página.',
  copy: 'Copiar',
  copied: 'Copiado.',
  notCopied: 'No se ha copiado. Seleccione el texto y cópielo.',
  signedOutKeptText:
    'Los cambios siguen en esta página. Vuelva a iniciar sesión en una pestaña nueva y guarde aquí después.',
  signInInNewTab: 'Iniciar sesión en una pestaña nueva',
}
