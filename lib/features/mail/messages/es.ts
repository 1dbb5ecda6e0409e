import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  buttonHint: 'Si el botón no funciona, copie esta dirección en el navegador:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Iniciar sesión',
  supportLink: 'Ayuda',
  privacyLink: 'Privacidad',
  termsLink: 'Condiciones de uso',

  resetSubject: 'Elegir una contraseña nueva para {product}',
  resetRequested: 'Se ha solicitado una contraseña nueva para la cuenta {username} en {host}.',
  resetInstruction: 'Para elegir una contraseña nueva, abra este enlace:',
  resetButton: 'Elegir una contraseña nueva',
  resetExpiry:
    'El enlace funciona una sola vez y caduca en {minutes, plural, one {# minuto} other {# minutos}}.',
  resetIgnore:
    'Si la solicitud no es suya, puede ignorar este correo. La contraseña seguirá siendo la misma.',
  resetLockedSubject: 'Volver a iniciar sesión en {product}',
  resetLocked:
    'Se ha introducido la contraseña correcta de la cuenta {username} en {host}. El inicio de sesión se ha rechazado porque antes hubo demasiados intentos fallidos. Para iniciar sesión, elija primero una contraseña nueva.',
  resetBreached:
    'Se ha introducido la contraseña correcta de la cuenta {username} en {host}. Esta contraseña figura en una filtración de datos de otro servicio, así que otras personas pueden conocerla. Para iniciar sesión, elija primero una contraseña nueva.',
  resetLockedWarning: 'Si no ha sido usted, alguien conoce su contraseña. Elija una nueva ahora.',

  quoted: '«{text}»',
  confirmationSubject: 'Confirmar la dirección de correo para {product}',
  confirmationEntered: 'Se ha indicado esta dirección para la cuenta {username} en {host}.',
  confirmationInstruction: 'Si la cuenta es suya, confirme la dirección:',
  confirmationButton: 'Confirmar la dirección',
  confirmationExpiry:
    'El enlace funciona una sola vez y caduca en {days, plural, one {# día} other {# días}}.',
  confirmationIgnore:
    'Si la cuenta no es suya, abra el enlace y elija «Esta cuenta no es mía». La cuenta pierde entonces la dirección.',

  invitationSubject: 'Invitación a {product}',
  invitationBy: '{inviter} ha enviado esta invitación a {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Ha recibido una invitación a {product}.',
  invitationAccount: 'La cuenta {username} en {host} está lista. Elija cómo quiere iniciar sesión:',
  invitationButton: 'Aceptar la invitación',
  invitationExpiry:
    'El enlace funciona una sola vez y caduca en {days, plural, one {# día} other {# días}}. Después, pida una invitación nueva.',
  invitationIgnore: 'Si no esperaba esta invitación, puede ignorar este correo. No comparta el enlace.',

  organizationInvitationSubject: 'Invitación a {organization} en {product}',
  organizationInvitationBy:
    '{inviter} ha enviado esta invitación a la organización {organization} en {host}.',
  organizationInvitationButton: 'Ver la invitación',
  organizationEndingSubject: '{organization} en {product} se eliminará',
  organizationEndingHeading: 'Su organización se eliminará',
  organizationEndingText:
    'Un propietario ha pedido eliminar la organización {organization} en {host}. Con ella terminan sus membresías, sus tokens de API y su inicio de sesión de empresa. Las cuentas de sus miembros se conservan.',
  organizationEndingDay: 'Eliminación',
  organizationEndingKeep: 'Hasta entonces, cualquier propietario puede conservar la organización.',
  organizationEndingButton: 'Ver los ajustes',
  organizationEndingReason: 'Recibe este correo porque es propietario de la organización.',

  signUpSubject: 'Cree su cuenta de {product}',
  signUpEntered:
    'Se introdujo esta dirección para crear una cuenta en {host}. Para continuar, abra este enlace:',
  signUpButton: 'Crear una cuenta',
  signUpExpiry: 'El enlace funciona una vez y caduca en {hours, plural, one {# hora} other {# horas}}.',
  signUpIgnore: 'Si no fue usted, ignore este correo. Sin el enlace no se crea ninguna cuenta.',
  signUpKnownSubject: 'Ya tiene una cuenta de {product}',
  signUpKnown: 'Se introdujo esta dirección para crear una cuenta en {host}. Ya tiene una cuenta con ella.',
  signUpKnownInstruction: 'Inicie sesión con esta dirección. Si olvidó su contraseña, elija allí una nueva:',
  signUpKnownIgnore: 'Si no fue usted, puede ignorar este correo. No ha cambiado nada.',
  signUpWaitingSubject: 'Alguien espera una cuenta de {product}',
  signUpWaiting: '{person} quiere una cuenta en {host} y ha confirmado esta dirección.',
  signUpWaitingButton: 'Decidir sobre la solicitud',
  signUpWaitingReason: 'Recibe este correo porque la política de registro le nombra.',

  codeSubject: 'Código de inicio de sesión para {product}',
  codeInstruction: 'Este código sirve para iniciar sesión en la cuenta {username} en {host}:',
  codePlace: 'Introdúzcalo en la página donde lo solicitó. No funciona en ningún otro lugar.',
  codeExpiry:
    'El código funciona una sola vez y caduca en {minutes, plural, one {# minuto} other {# minutos}}.',
  codeOrigin: 'Se solicitó desde la dirección {address}.',
  codeIgnore: 'Si la solicitud no es suya, ignore este correo y no comparta el código con nadie.',
  joinCodeSubject: 'Código para unirse a {organization} en {product}',
  joinCodeInstruction:
    'Este código sirve para unirse a la organización {organization} en {host} con la cuenta {username}:',

  linkSubject: '{name} (a través de {product}): {subject}',
  linkHeading: '{name} ha compartido algo con usted',
  linkHeadingObject: '{name} ha compartido {object} con usted',
  linkHeadingCount: '{name} ha compartido {count, plural, one {# elemento} other {# elementos}} con usted',
  linkBehalf: 'Enviado en nombre de {account}, que tiene una cuenta en {host}.',
  linkQuote: '{name} escribe:',
  linkButton: 'Abrir el enlace',
  linkPassword: 'Está protegido con una contraseña que no figura en este correo. Pídasela a {name}.',
  linkSignIn: 'Para abrirlo es necesario iniciar sesión.',
  linkSharing: 'Cualquier persona con este enlace puede abrirlo. No lo comparta.',
  linkSharingWithPassword:
    'Cualquier persona con este enlace y la contraseña puede abrirlo. No los comparta.',
  linkViews: 'Se puede abrir {count, plural, one {una sola vez} other {# veces}}.',
  linkExpiry: 'Funciona hasta el {time}.',
  linkIgnore: 'Si no conoce a {name} o no esperaba este correo, puede ignorarlo.',

  certificateExpiresSubject: 'Un certificado SAML caduca en {days, plural, one {un día} other {# días}}',
  certificateExpiredSubject: 'Un certificado SAML ha caducado',
  certificateExpires:
    'Un certificado del proveedor SAML {provider} (ID {id}) en {host} caduca el {time}. Si no se sustituye, el inicio de sesión con este proveedor puede dejar de funcionar.',
  certificateExpired:
    'Un certificado del proveedor SAML {provider} (ID {id}) en {host} caducó el {time}. Si no se sustituye, el inicio de sesión con este proveedor puede dejar de funcionar.',
  certificateOfProvider:
    'El certificado pertenece al proveedor de identidad. Cuando tenga uno nuevo, abra el proveedor en la administración y actualice sus metadatos. Si los metadatos tienen una dirección, esto ocurre automáticamente cada día.',
  certificateOfService:
    'El certificado pertenece a este servicio. Abra el proveedor en la administración y publique una clave nueva. Cuando el proveedor de identidad haya vuelto a leer los metadatos, cambie allí a la clave nueva.',
  certificateButton: 'Abrir el proveedor',
  certificateReason:
    'Los administradores reciben este correo 60, 30 y 7 días antes de que caduque un certificado.',

  setupMetadataSubject: 'Se enviaron metadatos para {provider}',
  setupLiveSubject: '{provider} está en funcionamiento',
  setupMetadata:
    'Alguien con su enlace de configuración envió los metadatos de un proveedor de identidad para {provider} (ID {id}) en {host}.',
  setupLive:
    'La conexión {provider} (ID {id}) en {host} está en funcionamiento. Ahora se inicia sesión con este proveedor de identidad.',
  setupEntityId: 'Entity ID',
  setupSource: 'Metadatos',
  setupPasted: 'pegados',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Dominio',
  setupCompare:
    'El dueño de cada certificado puede iniciar sesión como las personas de la empresa. Compare los certificados con el cliente, y no por correo. Si uno es incorrecto, elimine la conexión.',
  setupProposal:
    'Los metadatos de esta dirección no se vuelven a leer hasta que usted elija la dirección en la administración.',
  setupReason: 'Recibe este correo porque creó el enlace de configuración.',

  noticeAccount: 'Cuenta',
  noticeAccountValue: '{username} en {host}',
  noticeTime: 'Fecha',
  noticeFrom: 'Desde',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Por',
  noticeByAdministrator: 'un administrador',
  noticeQuestion: 'Si este cambio es suyo, puede ignorar este correo. Si no lo es, abra este enlace:',
  noticeButton: 'No fui yo',
  noticePage: 'La página explica lo que ocurre antes de cambiar nada.',
  noticeExpiry: 'El enlace caduca en {days, plural, one {# día} other {# días}}.',
  noticeAskAdministrator: 'Si no lo esperaba, consulte a su administrador.',
  noticeReason: 'Estos correos no se pueden desactivar, porque protegen su cuenta.',
  deviceWithBrowser: '{browser} en {system}',
  deviceWithoutBrowser: 'un programa desconocido en {system}',
  deviceUnknown: 'un programa desconocido',

  passwordChangedSubject: 'Se ha cambiado su contraseña',
  passwordChangedText: 'Se ha cambiado la contraseña de su cuenta. Se han cerrado todas las demás sesiones.',
  passwordResetSubject: 'Se ha restablecido su contraseña',
  passwordResetText:
    'Se ha establecido una contraseña nueva con un enlace de restablecimiento. Se han cerrado todas las sesiones.',
  passwordSetSubject: 'Un administrador ha establecido una contraseña nueva para usted',
  passwordSetText:
    'Un administrador ha establecido una contraseña nueva para su cuenta. Se han cerrado todas las sesiones.',
  emailChangedSubject: 'Se ha cambiado su dirección de correo',
  emailChangedText:
    'Su cuenta tiene ahora otra dirección de correo. Los correos de su cuenta ya no se envían a esta dirección.',
  emailMovedSubject: 'Su dirección de correo ha pasado a otra cuenta',
  emailMovedText:
    'Su empresa ha iniciado la sesión de una persona con esta dirección. La dirección pertenece ahora a esa cuenta, y la cuenta indicada abajo ya no la tiene. Todo lo demás de la cuenta sigue igual, y usted inicia sesión en ella como antes. Si las dos cuentas son suyas, pida a un administrador que las combine.',
  secondFactorEnabledSubject: 'Se ha activado el segundo factor',
  secondFactorEnabledText:
    'Para iniciar sesión se necesita ahora también un código de una aplicación de autenticación.',
  secondFactorDisabledSubject: 'Se ha desactivado el segundo factor',
  secondFactorDisabledText:
    'Para iniciar sesión ya no se necesita un código de una aplicación de autenticación.',
  recoveryCodeUsedSubject: 'Se ha usado un código de recuperación',
  recoveryCodeUsedText:
    'Un código de recuperación ha sustituido al código de la aplicación de autenticación. No volverá a funcionar.',
  recoveryCodesRenewedSubject: 'Se han sustituido sus códigos de recuperación',
  recoveryCodesRenewedText:
    'Su cuenta tiene códigos de recuperación nuevos. Los códigos anteriores ya no funcionan.',
  deviceRememberedSubject: 'Se recuerda un navegador',
  deviceRememberedText:
    'En un navegador en el que se usó el segundo factor, los inicios de sesión con su contraseña ya no lo piden durante un tiempo limitado.',
  rememberedDeviceReusedSubject: 'Se ha dejado de recordar un navegador',
  rememberedDeviceReusedText:
    'Alguien que conocía su contraseña usó una copia antigua de los datos de un navegador recordado. El navegador ya no se recuerda. Cambie su contraseña si no conoce el motivo.',
  passkeyAddedSubject: 'Se ha añadido una llave de acceso',
  passkeyAddedText: 'Se ha añadido una llave de acceso a su cuenta. Ya se puede usar para iniciar sesión.',
  passkeyRemovedSubject: 'Se ha eliminado una llave de acceso',
  passkeyRemovedText:
    'Se ha eliminado una llave de acceso de su cuenta. Ya no sirve para iniciar sesión, y se han cerrado las demás sesiones.',
  passkeyClonedSubject: 'Se ha rechazado una llave de acceso',
  passkeyClonedText:
    'Se ha rechazado una llave de acceso de su cuenta, porque puede existir una copia. Elimine esta llave de acceso si no conoce el motivo.',
  passkeyRequiredSubject: 'Su contraseña requiere ahora una llave de acceso',
  passkeyRequiredText: 'Para iniciar sesión con su contraseña se necesita ahora también una llave de acceso.',
  passkeyOptionalSubject: 'Su contraseña ya no requiere una llave de acceso',
  passkeyOptionalText: 'Para iniciar sesión con su contraseña ya no se necesita una llave de acceso.',
  apiTokenCreatedSubject: 'Se ha creado un token de API',
  apiTokenCreatedText:
    'Se ha creado un token de API para su cuenta. Los programas pueden usarlo para actuar con sus permisos.',
  apiTokenRevokedSubject: 'Un administrador ha eliminado uno de sus tokens de API',
  apiTokenRevokedText:
    'Un administrador ha eliminado un token de API de su cuenta. Ya no funciona. Si lo usaba un programa, pregunte el motivo al administrador antes de crear uno nuevo.',
  companyAccountLinkedSubject: 'Se ha vinculado otra cuenta a la suya',
  companyAccountLinkedText:
    'Se ha vinculado a su cuenta una cuenta de un proveedor de identidad. Ya se puede usar para iniciar sesión.',
  companyAccountUnlinkedSubject: 'Se ha desvinculado una cuenta de la suya',
  companyAccountUnlinkedText:
    'Se ha desvinculado de su cuenta una cuenta de un proveedor de identidad. Ya no sirve para iniciar sesión, y se han cerrado las demás sesiones.',
  signInByCompanySubject: 'Ahora inicia sesión a través de su empresa',
  signInByCompanyText:
    'Su cuenta se ha conectado con el inicio de sesión de su empresa, porque tiene su dirección de correo de la empresa. Las demás formas de iniciar sesión han terminado: contraseña, aplicación de autenticación, claves de acceso, tokens de API y otras cuentas conectadas. Inicie sesión a través de su empresa para volver a añadir las que necesite.',
  credentialLeakedSubject: 'Se ha filtrado una credencial suya',
  credentialLeakedText:
    'Se ha encontrado una sesión, un token de API o un enlace de su cuenta en un lugar donde otras personas podían leerlo. Se ha anulado y ya no funciona. Si lo usaba un programa, cree uno nuevo. Retire el anterior del lugar donde se publicó.',
  signInLockedSubject: 'Demasiados intentos fallidos de iniciar sesión en su cuenta',
  signInLockedText:
    'Ha habido 100 intentos fallidos seguidos de iniciar sesión en su cuenta. Puede iniciar sesión desde navegadores y redes que ya haya usado. Para iniciar sesión desde otro lugar, restablezca su contraseña.',
  emailRestoredSubject: 'Se ha quitado su dirección de correo de una cuenta',
  emailRestoredText:
    'La cuenta vuelve a tener su dirección de correo anterior. Alguien con acceso a esa dirección ha informado de que no la había cambiado. Si es un error, consulte a un administrador.',
  administratorAddedSubject: 'Se ha añadido un administrador nuevo',
  administratorAddedText:
    'Una cuenta ha recibido acceso de administrador. Su usuario ahora puede hacerlo todo aquí.',
  administratorGroupChangedSubject: 'Se ha cambiado un grupo de administradores',
  administratorGroupChangedText:
    'Un grupo ha recibido acceso de administrador, o un grupo con ese acceso tiene miembros nuevos. Los miembros ahora pueden hacerlo todo aquí.',
  administratorSignInSetSubject: 'Se ha cambiado el inicio de sesión de un administrador',
  administratorSignInSetText:
    'Otra persona ha cambiado la contraseña, la dirección de correo u otra forma de iniciar sesión de un administrador.',
  accountDeletionRequestedSubject: 'Se ha solicitado eliminar su cuenta',
  accountDeletionRequestedText:
    'Alguien con la sesión iniciada en su cuenta ha solicitado eliminarla. Hasta entonces puede retirar la solicitud en la página de su cuenta.',
  accountDeletionWithdrawnSubject: 'Se ha retirado la solicitud de eliminar su cuenta',
  accountDeletionWithdrawnText:
    'Alguien que ha iniciado sesión en su cuenta ha retirado la solicitud de eliminarla. La cuenta se conserva. Si todavía quiere que se elimine, solicítelo de nuevo en la página de su cuenta.',
  accountDeletionAskedSubject: 'Un usuario solicita que se elimine su cuenta',
  accountDeletionAskedText: 'Un usuario quiere irse, y en este servicio lo deciden los administradores.',
  accountDeletionAskedAct:
    'El usuario no puede eliminar la cuenta por sí solo. Elimínela en la administración, o pregunte al usuario si algo no está claro.',
  accountDeletionAskedButton: 'Abrir el usuario',
  administratorNoticeGroup: 'Grupo',
  administratorNoticeAct:
    'Si no lo esperaba, consulte el registro de auditoría y cierre las sesiones de la persona que lo hizo.',
  administratorNoticeButton: 'Abrir el registro de auditoría',
  administratorNoticeReason:
    'Los administradores no pueden desactivar estos correos, porque protegen el servicio.',
  organizationOwnerAddedSubject: 'Una organización tiene un nuevo propietario',
  organizationOwnerAddedText:
    'Una organización tiene un nuevo propietario. Los propietarios pueden hacer todo en ella.',
  organizationTokenCreatedSubject: 'Se creó un token de API de una organización',
  organizationTokenCreatedText:
    'Una organización tiene un nuevo token de API. Los programas actúan con él en nombre de la organización, incluso después de que se vaya quien lo creó.',
  organizationSignInAddedSubject: 'Se añadió un inicio de sesión corporativo a una organización',
  organizationSignInAddedText:
    'Una organización tiene una nueva conexión con un proveedor de identidad. Cuando funcione, otras personas podrán hacerse miembros a través de ella.',
  organizationDomainProvenSubject: 'Se demostró un dominio de una organización',
  organizationDomainProvenText:
    'Una organización tiene un nuevo dominio demostrado. Quienes tengan direcciones de este dominio pueden iniciar sesión con el inicio de sesión corporativo.',
  organizationRolesReportedSubject: 'Alguien denunció el robo de su cuenta',
  organizationRolesReportedText:
    'Alguien de una organización denunció que los cambios de su cuenta no eran suyos. Sus tokens de API e invitaciones abiertas desde entonces han terminado. Desde entonces, esa cuenta dio sus roles a estos miembros. Los roles se mantienen hasta que usted los cambie.',
  directoryOwnerKeptSubject: 'El último propietario de una organización dejó su directorio',
  directoryOwnerKeptText:
    'El directorio de una organización dio de baja a su último propietario. Sus sesiones y su inicio de sesión allí han terminado. La pertenencia sigue hasta que otra persona sea propietaria: nombre propietario a otro miembro y el directorio la terminará con su próxima solicitud.',
  directoryPeopleLeftSubject: 'Muchas personas dejaron el directorio de una conexión',
  directoryPeopleLeftText:
    'En diez minutos, el directorio de una conexión dio de baja a más de 50 personas y a más de una quinta parte del total. Todo lo que tenían ha terminado. Si fue un error, detenga el directorio en la página de la conexión y recupere allí a las personas.',
  signInHookFailedSubject: 'Nadie puede iniciar sesión porque falla una función de un producto',
  signInHookFailedText:
    'El servicio consulta una función de un producto en cada inicio de sesión, y esta no da una respuesta utilizable. Solo los administradores pueden iniciar sesión, con una llave de acceso o un segundo factor. La cuenta indicada abajo lo hizo. Repare la función o desactive el hook en la configuración del servicio.',
  directoryPeopleLeftButton: 'Ver la conexión',
  ownerNoticeOrganization: 'Organización',
  ownerNoticeConcerns: 'Se refiere a',
  ownerNoticeRoles: 'Roles otorgados',
  ownerNoticeAct: 'Si no lo esperaba, revíselo y póngale fin.',
  ownerNoticeButton: 'Ver la organización',
  signInEndedSubject: 'Tiene que configurar de nuevo su inicio de sesión',
  signInEndedText:
    'Su cuenta ha recibido permisos nuevos. Alguien que no los tiene, o el inicio de sesión de su empresa, había decidido cómo inicia sesión. Por eso, eso ya no funciona. Recibirá un enlace para elegir una contraseña nueva, o su administrador le ayudará. Después podrá volver a conectar su cuenta de empresa en la página de su cuenta.',
  newDeviceSubject: 'Nuevo inicio de sesión en su cuenta',
  newDeviceText: 'Se ha iniciado sesión en su cuenta desde un dispositivo que no se había usado antes.',
}
