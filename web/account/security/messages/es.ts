import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  currentPassword: 'Contraseña actual',
  changePassword: 'Cambiar contraseña',
  passwordChanged: 'La contraseña se ha cambiado. Las demás sesiones han terminado.',
  passwordManaged: 'La contraseña de esta cuenta no se puede cambiar aquí. Consulte con la administración.',
  noPassword:
    'Esta cuenta no tiene contraseña. El acceso es de otra forma, por ejemplo con la cuenta de la empresa o una llave de acceso.',
  wrongPassword: 'Esta no es la contraseña actual.',
  code: 'Código de la aplicación de autenticación',
  codeHint:
    'Las seis cifras que muestra ahora la aplicación. También se puede introducir un código de recuperación.',
  codeHintPlain: 'Las seis cifras que muestra ahora la aplicación.',
  wrongCode: 'El código es incorrecto o ya se ha usado. Introduzca el más reciente.',
  codeNotMatching:
    'El código no coincide. Compruebe que ha escaneado esta imagen y que el reloj del dispositivo está en hora.',
  tooManyPasskeys: 'Se ha alcanzado el máximo de llaves de acceso. Quite una primero.',
  twoStepText:
    'Con la verificación en dos pasos, la contraseña sola no basta. El teléfono muestra un código que cambia cada 30 segundos.',
  twoStepOff: 'La verificación en dos pasos está desactivada.',
  twoStepOn: 'La verificación en dos pasos está activada.',
  setUp: 'Configurar',
  stepApp: 'Abra una aplicación de autenticación en el teléfono. Sirve cualquiera.',
  stepScan: 'Escanee esta imagen con la aplicación.',
  stepSecret: 'Si no puede escanear, introduzca esta clave en la aplicación:',
  stepCode: 'Introduzca el código que muestra la aplicación.',
  qrCode: 'Código QR con la clave para la aplicación de autenticación',
  key: 'Clave',
  turnOn: 'Activar',
  turnedOn: 'La verificación en dos pasos está activada. Las demás sesiones han terminado.',
  recoveryHeading: 'Guarde los códigos de recuperación',
  recoveryText:
    'Si pierde el teléfono, cada uno de estos códigos permite iniciar sesión una vez. Solo se muestran ahora. Guárdelos en un lugar seguro.',
  download: 'Descargar',
  print: 'Imprimir',
  codesStored: 'Los he guardado',
  codesRenewed: 'Hay códigos de recuperación nuevos. Los anteriores ya no funcionan.',
  codesLeft:
    '{count, plural, =0 {No quedan códigos de recuperación. Obtenga otros nuevos.} one {Queda # código de recuperación.} other {Quedan # códigos de recuperación.}}',
  recoveryCodes: 'Códigos de recuperación',
  renewCodes: 'Obtener códigos nuevos',
  renewText: 'Los códigos actuales dejarán de funcionar.',
  codesFor: 'Códigos de recuperación de {username} en {product}. Cada uno funciona una vez.',
  syncHeading: '¿Se rechazan los códigos?',
  syncText:
    'Puede que el reloj del teléfono no esté en hora. Introduzca un código para conocer la diferencia.',
  sync: 'Comparar relojes',
  synced:
    '{seconds, plural, =0 {El reloj de la aplicación está en hora.} one {El reloj de la aplicación difiere en # segundo. A partir de ahora se tiene en cuenta.} other {El reloj de la aplicación difiere en # segundos. A partir de ahora se tiene en cuenta.}}',
  turnOff: 'Desactivar',
  turnOffHeading: '¿Desactivar la verificación en dos pasos?',
  turnOffText: 'La contraseña sola bastará para iniciar sesión.',
  turnedOff: 'La verificación en dos pasos está desactivada.',
  passkeyText:
    'Con una llave de acceso se inicia sesión con la huella, la cara o un PIN. Nadie puede adivinarla ni robarla con una página falsa.',
  noPasskeys: 'No hay llaves de acceso.',
  passkeyName: 'Nombre de la nueva llave de acceso',
  addPasskey: 'Añadir una llave de acceso',
  passkeyAdded: 'La llave de acceso se ha añadido.',
  passkeyAddedInSetup: 'La llave de acceso se ha añadido. Inicie sesión con ella para continuar.',
  signInAgain: 'Iniciar sesión de nuevo',
  rename: 'Cambiar nombre',
  renameHeading: 'Cambiar el nombre de la llave de acceso',
  name: 'Nombre',
  remove: 'Quitar',
  removePasskeyHeading: '¿Quitar la llave de acceso «{name}»?',
  removePasskeyText:
    'Ya no servirá para iniciar sesión y las demás sesiones terminarán. Quítela también del dispositivo.',
  passkeyRenamed: 'El nombre se ha guardado.',
  passkeyRemoved: 'La llave de acceso se ha quitado. Quítela también del dispositivo.',
  addedOn: 'Añadida el {date}.',
  usedOn: 'Último uso el {date}.',
  neverUsed: 'Sin usar.',
  passkeySynced: 'Compartida entre dispositivos.',
  passkeyOnOneDevice: 'Solo en un dispositivo.',
  requirePasskey: 'La contraseña requiere además una llave de acceso',
  requirePasskeyHint: 'Así nadie puede iniciar sesión solo con la contraseña.',
  passkeyRequired:
    'La contraseña requiere ahora también una llave de acceso. Las demás sesiones han terminado.',
  passkeyOptional: 'La contraseña funciona sin llave de acceso.',
  addSpareFirst:
    'Añada primero otra llave de acceso o la verificación en dos pasos. Si no, la pérdida de un dispositivo impediría el acceso.',
}
