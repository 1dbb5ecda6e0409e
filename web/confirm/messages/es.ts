import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Confirmar la dirección de correo',
  explanation: 'Falta confirmar que esta dirección de correo es la correcta.',
  confirm: 'Confirmar dirección',
  doneHeading: 'Dirección de correo confirmada',
  done: 'La dirección de correo está confirmada. Ya se puede cerrar esta página.',
  taken: 'Otra cuenta usa esta dirección. Un administrador puede ayudar.',
  incomplete: 'El enlace está incompleto. Hay que abrirlo de nuevo desde el correo.',
  used: 'El enlace ha caducado o ya se usó.',
  getNewLink: 'Para recibir un enlace nuevo, basta con iniciar sesión o avisar a un administrador.',
  goToSignIn: 'Ir a la página de inicio de sesión',
}
