import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  signIn: 'Iniciar sesión en {product}',
  reset: 'Elegir una contraseña nueva – {product}',
  secure: 'Proteger la cuenta – {product}',
  confirm: 'Confirmar la dirección de correo – {product}',
  link: 'Contenido compartido – {product}',
  invite: 'Invitación a {product}',
  account: 'Su cuenta – {product}',
  admin: 'Administración – {product}',
  needsScript: 'Esta página necesita JavaScript. Actívelo en el navegador y vuelva a cargar la página.',
}
