import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Direcciones bloqueadas',
  intro: 'Qué se rechaza ahora y qué direcciones de correo no reciben nada.',
  limits: 'Demasiados intentos',
  noLimits: 'Ahora no se rechaza nada.',
  suppressed: 'Direcciones que no reciben correo',
  noSuppressed: 'Todas las direcciones reciben correo.',
  findAddress: 'Buscar una dirección exacta',
  who: 'Quién',
  what: 'Motivo',
  since: 'Desde',
  until: 'Hasta',
  untilSuccess: 'Hasta el próximo éxito',
  user: 'Usuario {number}',
  network: 'Red {address}',
  link: 'Enlace de acceso {number}',
  unknown: 'Desconocido',
  signInAttempts: 'Intentos de inicio de sesión',
  linkAttempts: 'Intentos de abrir enlaces',
  emails: 'Correos solicitados',
  otherRequests: 'Otras solicitudes',
  bounce: 'Un correo no se pudo entregar',
  complaint: 'El destinatario marcó un correo como no deseado',
  lift: 'Levantar',
  liftLimit: '¿Levantar el bloqueo?',
  liftLimitText: '{who} puede volver a intentarlo de inmediato. Un atacante también podría seguir.',
  liftAddressText:
    '{who} vuelve a recibir correo. Hágalo cuando la causa esté resuelta: los rechazos dañan la reputación del remitente.',
  lifted: 'El bloqueo está levantado.',
}
