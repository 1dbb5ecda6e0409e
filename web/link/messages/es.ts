import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Contenido compartido',
  headingIn: 'Contenido compartido en {product}',
  openedHeading: 'Enlace abierto',
  signedOutHeading: 'Sesión cerrada',
  checking: 'Comprobando el enlace…',
  shared: '{name} ha compartido contenido.',
  signedInAs: 'Sesión iniciada como {name}.',
  staySignedIn: 'La sesión continúa al abrir el enlace.',
  sharedItems: 'Elementos compartidos:',
  aGuest: 'invitado',
  linkPassword: 'Contraseña del enlace',
  enterPassword: 'Falta la contraseña de este enlace.',
  wrongPassword: 'La contraseña del enlace no es correcta.',
  open: 'Abrir',
  openIn: 'Abrir en {product}',
  isOpen: 'El enlace está abierto.',
  isOpenFor: 'El enlace está abierto. Sesión iniciada como {name} en este navegador.',
  closed: 'El enlace ya no está abierto en este navegador. Hay que abrir de nuevo el enlace original.',
  invalid: 'El enlace no es válido o ha caducado. La persona que lo envió puede dar uno nuevo.',
  incomplete: 'El enlace está incompleto. Hay que abrir de nuevo el enlace original.',
  forOnePerson:
    'Este enlace es para una sola persona. Primero hay que iniciar sesión; después se vuelve aquí.',
  forSomeoneElse:
    'Este enlace es para otra persona. Para usarlo, hay que cerrar la sesión e iniciarla con la cuenta correcta.',
  forSomeoneElseThan:
    'Este enlace es para otra persona. Sesión iniciada como {name}. Para usarlo, hay que cerrar la sesión e iniciarla con la cuenta correcta.',
  signIn: 'Iniciar sesión',
  goToSignIn: 'Ir a la página de inicio de sesión',
  signOut: 'Cerrar sesión',
  signedOut: 'La sesión está cerrada. El contenido compartido ya no está abierto en este navegador.',
}
