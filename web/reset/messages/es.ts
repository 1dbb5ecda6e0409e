import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Elegir una contraseña nueva',
  checking: 'Comprobando el enlace…',
  account: 'Será la nueva contraseña de {username}.',
  saveSuggestion: 'Conviene guardar esta contraseña en el gestor de contraseñas antes de continuar.',
  suggest: 'Sugerir una contraseña',
  endApiTokens: 'Eliminar también todos mis tokens de API',
  save: 'Guardar contraseña',
  doneHeading: 'Contraseña cambiada',
  done: 'La contraseña nueva está guardada. Ya es posible iniciar sesión con ella.',
  signIn: 'Iniciar sesión',
  goToSignIn: 'Ir a la página de inicio de sesión',
  incomplete: 'El enlace está incompleto. Hay que abrirlo de nuevo desde el correo.',
  used: 'El enlace ha caducado o ya se usó.',
  getNewLink: 'Para recibir un enlace nuevo, la página de inicio de sesión ofrece «¿Contraseña olvidada?».',
}
