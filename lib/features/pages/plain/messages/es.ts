import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const es: Translation<typeof en> = {
  goToSignIn: 'Ir a la página de inicio de sesión',
  support: 'Ayuda',
  tryAgain: 'Reintentar',
  requestNumber: 'Número de solicitud: {number}',
  minutes: '{count, plural, one {# minuto} other {# minutos}}',
  seconds: '{count, plural, one {# segundo} other {# segundos}}',
  notFoundTitle: 'Página no encontrada',
  notFound:
    'No hay ninguna página en esta dirección. Puede que la dirección esté incompleta o que la página se haya movido.',
  noPageTitle: 'Esta página no se puede mostrar',
  noPage: 'Esta dirección es para programas y no tiene página.',
  tooManyTitle: 'Demasiados intentos',
  tooMany: 'Ha habido demasiados intentos. Espere {wait} e inténtelo de nuevo.',
  notSignedInTitle: 'No ha iniciado sesión',
  forbiddenTitle: 'No puede hacer esto',
  didNotWorkTitle: 'No ha funcionado',
  wrongTitle: 'Algo ha fallado',
  signOutFailedTitle: 'No se pudo cerrar la sesión',
  signInFailedTitle: 'No se pudo iniciar sesión',
  expiredTitle: 'Este inicio de sesión ya no es válido',
  providerMissing:
    'Este enlace lleva a una forma de iniciar sesión que ya no está disponible. Vaya a la página de inicio de sesión y elija otra.',
  signInFirst: 'Vaya a la página de inicio de sesión, inicie sesión e inténtelo de nuevo.',
  forbidden: 'No tiene permiso para hacer esto. Si lo necesita, pídalo a un administrador.',
  conflict: 'Otra persona ha hecho un cambio al mismo tiempo. Inténtelo de nuevo.',
  ourSide:
    'Algo ha fallado por nuestra parte. Inténtelo de nuevo en un momento. Si el problema continúa, indique a un administrador el número de abajo.',
  yourProvider: 'su servicio de acceso',
  startLinkInvalid:
    'El enlace que le ha traído aquí para iniciar sesión con {provider} no es válido. Empiece de nuevo aquí o en la página de inicio de sesión.',
  responseUnreadable:
    'No se pudo leer la respuesta de {provider}, así que no ha iniciado sesión. Inténtelo de nuevo. Si el problema continúa, contacte con un administrador.',
  signOutUnreadable:
    'No se pudo usar la respuesta de {provider}, así que puede que la sesión siga abierta aquí. Compruébelo en la página de inicio de sesión y ciérrela allí.',
  linkInvalid: 'Este enlace no es válido. Empiece en la página de inicio de sesión.',
  failed:
    'No se pudo iniciar sesión con {provider}. Inténtelo de nuevo. Si el problema continúa, indique a un administrador el número de abajo.',
  noCookie:
    'El navegador no ha guardado una cookie que el inicio de sesión necesita. Permita las cookies de {host} e inicie sesión de nuevo.',
  notStarted:
    'El inicio de sesión con {provider} no empezó aquí, o empezó hace demasiado tiempo. Empiece de nuevo aquí.',
  otherBrowser: 'El inicio de sesión empezó en otro navegador. Inicie sesión de nuevo en este.',
  ended: 'El inicio de sesión ya ha terminado o ha tardado demasiado. Inicie sesión de nuevo.',
  signedOut: '{provider} ha cerrado su sesión entretanto. Inicie sesión de nuevo.',
  signUpRefused:
    'No se ha creado ninguna cuenta para usted. Si cree que debería tener una, pregunte a quienes gestionan este servicio.',
  noAccount:
    'Ninguna cuenta de aquí está conectada con ella. Si tiene una, conéctelas ahora: inicie sesión aquí y después confírmelo. Si no, pregunte a un administrador.',
  needsInvitation:
    'Aquí solo se crean cuentas con invitación. Si tiene una, abra su enlace y elija allí {provider}.',
  connectAccounts: 'Tengo una cuenta aquí: iniciar sesión y conectar',
  accountThere: 'En {provider} usted es {account}.',
  switchQuestion: '¿Continuar como {account}?',
  switchWarning:
    'Aquí es otra cuenta. Si no acaba de iniciar sesión usted mismo con {provider}, mantenga la sesión de {user}.',
  switchYes: 'Continuar como {account}',
  switchNo: 'Mantener la sesión de {user}',
  switchDone: 'Ha iniciado sesión como {account}',
  connectQuestion: '¿Conectar {account} de {provider} con su cuenta {user}?',
  connectWarning:
    'A partir de entonces, quien inicie sesión en {provider} como {account} entrará aquí como {user}. Conecte solo una cuenta que sea suya.',
  connectYes: 'Conectar',
  connectNo: 'No conectar',
  connectDone: 'Las cuentas están conectadas',
  createQuestion: '¿Crear una cuenta aquí?',
  createUnknown: 'Todavía no está conectada a ninguna cuenta de aquí. Si ya tiene una cuenta, conéctela.',
  createYes: 'Crear una cuenta',
  acceptTerms: 'Acepto las {terms}',
  terms: 'condiciones de uso (versión {version})',
  codeQuestion: 'Introduzca su código',
  codeLabel: 'Código de su aplicación de autenticación o un código de recuperación',
  codeWrong: 'El código es incorrecto, ha caducado o ya se usó. Espere al siguiente.',
  secondFactorNeeded:
    'Su cuenta necesita una segunda prueba de identidad. En la página de inicio de sesión, entre con su llave de acceso, o con su contraseña y un código.',
  codeDone: 'Ha iniciado sesión',
  otherProvider: 'Su empresa exige que inicie sesión con {provider}.',
  disabled: 'Su cuenta está desactivada o ha caducado. Contacte con un administrador.',
  taken:
    'Su cuenta de {provider} pertenece aquí a otra persona. Inicie sesión con ella o contacte con un administrador.',
  signInToLink: 'Inicie sesión aquí primero. Después conecte su cuenta de {provider}.',
  organizationInactive: 'Su organización no se puede usar aquí en este momento. Consulte a su administrador.',
  organizationFull: 'Su organización ya tiene aquí el máximo de miembros. Pida una plaza a su administrador.',
  notMember: 'No es miembro de esta organización. Pida a su administrador que lo añada.',
  needsHttps:
    '{provider} solo permite iniciar sesión en una dirección https con nombre de dominio, y {host} no lo es. Inicie sesión aquí de otra forma.',
  noNewProof:
    '{provider} no le ha pedido que inicie sesión de nuevo, y aquí es necesario. Cierre la sesión allí e inténtelo de nuevo. Si el problema continúa, contacte con un administrador.',
  oldKey:
    'No se pudo leer la respuesta de {provider}, como otras anteriores. Un administrador debe renovar la conexión con {provider}.',
  appRequestInvalid:
    'La aplicación ha enviado una solicitud no válida. Vuelva a la aplicación o contacte con sus responsables.',
  appSignOutInvalid: 'La aplicación ha enviado una solicitud no válida. Su sesión sigue abierta.',
  appExpired:
    'Se ha completado, ha caducado o empezó en otro navegador. Vuelva a la aplicación e inicie sesión de nuevo.',
  appOther: 'Vuelva a la aplicación e inténtelo de nuevo.',
  signOutTitle: '¿Cerrar sesión?',
  signOutFrom: 'Viene de {app}.',
  signOutAll: 'Se cerrará la sesión de todas las aplicaciones que usan esta cuenta en este navegador.',
  signOut: 'Cerrar sesión',
  staySignedIn: 'Mantener la sesión',
  deviceTitle: 'Iniciar sesión en un dispositivo',
  deviceEnter: 'Introduzca el código que muestra su dispositivo.',
  deviceCode: 'Código',
  deviceUnknown: 'Este código es incorrecto o ha caducado. Compruebe el código en su dispositivo.',
  deviceNext: 'Siguiente',
  deviceSignInTo: '¿Iniciar sesión en {app}?',
  deviceUser: 'Ha iniciado sesión como {user}.',
  deviceOtherUser: 'Usar otra cuenta',
  deviceCompare:
    'Continúe solo si su dispositivo muestra este código y usted mismo empezó allí a iniciar sesión en {app}. Si alguien le envió el código o un enlace, cancele.',
  deviceGets: '{app} obtendrá:',
  deviceGetsId: 'su identificador de usuario, y cuándo y cómo ha iniciado sesión',
  deviceGetsProfile: 'su nombre, nombre de usuario e idioma',
  deviceGetsEmail: 'su correo electrónico',
  deviceGetsPhone: 'su número de teléfono',
  deviceGetsAddress: 'su dirección postal',
  deviceGetsValue: '{what}: {value}',
  deviceGetsGroups: 'sus grupos',
  deviceGetsPermissions: 'sus permisos',
  deviceGetsAttributes: 'otros datos sobre usted',
  deviceGetsOrganization: 'su organización y sus roles en ella',
  deviceGetsAudience: 'acceso en su nombre a {audience}',
  deviceGetsOffline: 'acceso hasta que usted lo termine en la página de su cuenta',
  requestChanged:
    'Esta solicitud ha cambiado desde que abrió la página. Todavía no ha ocurrido nada. Léala de nuevo antes de responder.',
  deviceContinue: 'Continuar',
  deviceCancel: 'Cancelar',
  organizationQuestion: 'Elija una organización',
  organizationFor: 'Continuará en {app} con la organización que elija.',
  consentQuestion: '¿Dar acceso a {app}?',
  consentWarning:
    'Ningún administrador ha registrado esta aplicación. Continúe solo si acaba de iniciarla usted mismo y confía en {app}.',
  nativeAppWarning:
    'Cualquier programa de este dispositivo puede hacerse pasar por {app}. Continúe solo si usted mismo acaba de empezar a iniciar sesión allí.',
  consentAddress: 'Dirección de la aplicación: {address}',
  consentLeadsTo: 'Después seguirá a {target}.',
  deviceDoneTitle: 'Su dispositivo ha iniciado sesión',
  deviceDone: 'Vuelva a {app} en su dispositivo. Puede cerrar esta página.',
  deviceDeniedTitle: 'Cancelado',
  deviceDenied: '{app} no ha iniciado sesión en el dispositivo. Puede cerrar esta página.',
}
