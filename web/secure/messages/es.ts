import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Proteger la cuenta',
  explanation:
    'Enviamos un correo sobre un cambio en la cuenta. Si el cambio lo hizo otra persona, este botón la protege. Entonces:',
  signsOut: 'Se cierran todas las sesiones de la cuenta, también esta.',
  removes:
    'Se eliminan los tokens de API, llaves de acceso, segundo factor y cuentas vinculadas que se añadieron desde entonces.',
  restores: 'Una dirección de correo cambiada vuelve a ser la anterior.',
  ends: 'Si alguien puede conocer la contraseña, deja de funcionar. Enviamos un correo para elegir una nueva.',
  report: 'No fui yo',
  doneHeading: 'La cuenta está protegida',
  done: 'Se cerraron todas las sesiones y se eliminó lo que se añadió desde entonces.',
  emailRestored: 'La cuenta tiene de nuevo su dirección de correo anterior.',
  passwordEnded: 'La contraseña ya no funciona.',
  emailSent: 'Un correo con un enlace para elegir una contraseña nueva está en camino.',
  incomplete: 'El enlace está incompleto. Hay que abrirlo de nuevo desde el correo.',
  used: 'El enlace ha caducado o ya se usó.',
  stillInDanger:
    'Si la cuenta sigue en peligro, conviene restablecer la contraseña o avisar a un administrador.',
  goToSignIn: 'Ir a la página de inicio de sesión',
}
