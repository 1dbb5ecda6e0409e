import type { Translation } from '../../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  heading: 'Resultado de la prueba',
  accepted: 'Todo funciona. Se puede iniciar sesión con {name}.',
  refused: 'Iniciar sesión con {name} aún no funciona. Cambie lo siguiente y pruebe de nuevo.',
  testedAt: 'Prueba: {time}',
  missing: 'Este resultado ya no está disponible. Los resultados se guardan poco tiempo.',
  again: 'Probar de nuevo',
  toChange: 'Qué cambiar',
  checks: 'Qué se comprobó',
  works: 'Funciona',
  change: 'Requiere un cambio',
  notChecked: 'Sin comprobar',
  technical: 'Detalles técnicos',
  person: 'Quién es usted según el proveedor',
  nameId: 'Nombre en el proveedor',
  email: 'Correo',
  fullName: 'Nombre completo',
  groups: 'Grupos',
  user: 'Usuario aquí',
  noUser: 'Sin conectar',
  message: 'El proveedor envía una respuesta legible',
  messageAdvice:
    'Compruebe que el proveedor envía su respuesta como SAML 2.0 y sin cambios a la dirección de respuesta.',
  status: 'El proveedor permitió el inicio de sesión',
  statusAdvice: 'El proveedor lo rechazó. Compruebe allí si su cuenta puede usar esta aplicación.',
  signature: 'La respuesta es auténtica: la firma coincide con el certificado',
  signatureAdvice:
    'Es probable que el proveedor tenga un certificado nuevo. Actualice los metadatos y compruebe que firma con SHA-256.',
  issuer: 'La respuesta procede de este proveedor',
  issuerAdvice: 'El ID del proveedor aquí difiere del que envía. Lea de nuevo los metadatos o corrija el ID.',
  address: 'La respuesta es para la dirección de respuesta de este servicio',
  addressAdvice: 'Introduzca exactamente esta dirección de respuesta (URL ACS) en el proveedor: {value}',
  audience: 'La respuesta es para este servicio y este inicio de sesión',
  audienceAdvice:
    'Introduzca exactamente este entity ID (audience) en el proveedor: {value}. Empiece cada inicio de sesión aquí y no en el proveedor.',
  time: 'Los relojes coinciden',
  timeAdvice:
    'El reloj del proveedor está mal o la respuesta tardó demasiado. Sincronice el reloj y pruebe de nuevo.',
  subject: 'La respuesta nombra a la persona, siempre de la misma forma',
  subjectAdvice: 'Configure en el proveedor el nombre que envía: el correo o un ID que nunca cambie.',
  account: 'La persona tiene un usuario aquí o recibe uno',
  accountAdvice:
    'Active «Crear usuarios en su primer inicio de sesión» o deje que la persona conecte su cuenta. Un usuario desactivado debe activarse.',
}
