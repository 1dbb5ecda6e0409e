import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Le damos la bienvenida a {product}',
  invitedBy: '{inviter} le ha enviado una invitación. El nombre de usuario es {username}.',
  invited: 'Ha recibido una invitación. El nombre de usuario es {username}.',
  signedInAsOther: 'La sesión está iniciada como {other}. Al aceptar, se iniciará como {username}.',
  password: 'Elija una contraseña',
  accept: 'Aceptar la invitación',
  ways: '¿Cómo quiere iniciar sesión?',
  otherWays: 'O sin contraseña:',
  createPasskey: 'Crear una llave de acceso',
  continueWith: 'Continuar con {provider}',
  needsSecondFactor:
    'La organización pide un segundo paso en cada inicio de sesión. Acepte la invitación y configúrelo después.',
  acceptAndSetUp: 'Aceptar y configurar',
  noWay:
    'En este navegador no se puede aceptar la invitación. Abra el enlace en otro navegador o pregunte a la persona que la envió.',
  endedHeading: 'Esta invitación ya no es válida',
  ended: 'Ya se ha usado, se ha retirado o ha caducado.',
  askAgain: 'Pida una invitación nueva a la persona que la envió. Si ya la ha aceptado, inicie sesión.',
  goToSignIn: 'Ir a la página de inicio de sesión',
  accepted: 'Ha aceptado la invitación y ha iniciado sesión.',
}
