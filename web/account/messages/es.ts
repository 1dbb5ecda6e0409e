import type { Translation } from '../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Su cuenta',
  signOut: 'Cerrar sesión',
  administration: 'Administración',
  profile: 'Perfil',
  password: 'Contraseña',
  twoStep: 'Verificación en dos pasos',
  passkeys: 'Llaves de acceso',
  sessions: 'Dispositivos y sesiones',
  apiTokens: 'Tokens de API',
  connections: 'Cuentas vinculadas',
  guestHeading: 'Ha abierto un enlace compartido',
  guestText:
    'Está aquí como {name}, con un enlace compartido. El enlace solo abre el contenido compartido, por lo que no hay ninguna cuenta que gestionar.',
  setupRequired:
    'La organización exige una segunda prueba además de la contraseña. Configúrela aquí. Hasta entonces no es posible hacer nada más.',
  setupRequiredFrom:
    'A partir del {date}, la organización exige una segunda prueba además de la contraseña. Configure antes la verificación en dos pasos o una llave de acceso.',
  names: 'Nombre e idioma',
  fullName: 'Nombre completo',
  username: 'Nombre de usuario',
  languageHint: 'Para páginas y correos.',
  languageOfBrowser: 'Como en el navegador',
  email: 'Correo electrónico',
  emailVerified: 'Confirmado',
  emailUnverified: 'Sin confirmar',
  noEmail: 'No hay ninguna dirección de correo guardada.',
  sendLink: 'Enviar el enlace de nuevo',
  linkSent: 'Se ha enviado un enlace a {address}. Ábralo para confirmar la dirección.',
  emailPending: 'Confirme el enlace enviado a {address}. Hasta entonces se sigue usando la dirección actual.',
  withdrawEmail: 'Conservar la dirección actual',
  emailWithdrawn: 'La dirección de correo no cambia.',
  changeEmail: 'Cambiar el correo electrónico',
  newEmail: 'Nueva dirección de correo',
  newEmailHint: 'Se envía un enlace a la nueva dirección y un aviso a la actual.',
  emailInvalid: 'Introduzca una dirección de correo, por ejemplo nombre@example.com.',
}
