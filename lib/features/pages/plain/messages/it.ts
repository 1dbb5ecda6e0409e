import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const it: Translation<typeof en> = {
  goToSignIn: 'Vai alla pagina di accesso',
  support: 'Aiuto',
  tryAgain: 'Riprova',
  requestNumber: 'Numero della richiesta: {number}',
  minutes: '{count, plural, one {# minuto} other {# minuti}}',
  seconds: '{count, plural, one {# secondo} other {# secondi}}',
  notFoundTitle: 'Pagina non trovata',
  notFound:
    'A questo indirizzo non c’è alcuna pagina. L’indirizzo può essere incompleto o la pagina può essere stata spostata.',
  noPageTitle: 'Questa pagina non può essere mostrata',
  noPage: 'Questo indirizzo è destinato ai programmi e non ha una pagina.',
  tooManyTitle: 'Troppi tentativi',
  tooMany: 'I tentativi sono stati troppi. Attendere {wait}, poi riprovare.',
  notSignedInTitle: 'Accesso non effettuato',
  forbiddenTitle: 'Operazione non consentita',
  didNotWorkTitle: 'Operazione non riuscita',
  wrongTitle: 'Si è verificato un errore',
  signOutFailedTitle: 'Uscita non riuscita',
  signInFailedTitle: 'Accesso non riuscito',
  expiredTitle: 'Questo accesso non è più valido',
  providerMissing:
    'Questo link porta a un modo di accedere che non è più disponibile. Andare alla pagina di accesso e sceglierne un altro.',
  signInFirst: 'Andare alla pagina di accesso, accedere e poi riprovare.',
  forbidden: 'Non si dispone dell’autorizzazione necessaria. Se serve, rivolgersi all’amministrazione.',
  conflict: 'Qualcun altro ha apportato una modifica nello stesso momento. Riprovare.',
  ourSide:
    'Si è verificato un errore da parte nostra. Riprovare tra poco. Se il problema persiste, comunicare all’amministrazione il numero della richiesta riportato sotto.',
  yourProvider: 'il servizio di accesso',
  startLinkInvalid:
    'Il link usato per accedere con {provider} non è valido. Ricominciare da qui o dalla pagina di accesso.',
  responseUnreadable:
    'Non è stato possibile leggere la risposta di {provider}, quindi l’accesso non è avvenuto. Riprovare. Se il problema persiste, rivolgersi all’amministrazione.',
  signOutUnreadable:
    'Non è stato possibile usare la risposta di {provider}: la sessione qui potrebbe essere ancora attiva. Verificarlo nella pagina di accesso e uscire da lì.',
  linkInvalid: 'Questo link non è valido. Andare alla pagina di accesso e cominciare da lì.',
  failed:
    'L’accesso con {provider} non è riuscito. Riprovare. Se il problema persiste, comunicare all’amministrazione il numero della richiesta riportato sotto.',
  noCookie:
    'Il browser non ha conservato un cookie necessario per l’accesso. Consentire i cookie per {host} e accedere di nuovo.',
  notStarted:
    'L’accesso con {provider} non è iniziato qui oppure è iniziato troppo tempo fa. Ricominciare da qui.',
  otherBrowser: 'L’accesso è iniziato in un altro browser. Accedere di nuovo in questo.',
  ended: 'L’accesso è già terminato o ha richiesto troppo tempo. Accedere di nuovo.',
  signedOut: '{provider} ha chiuso la sessione nel frattempo. Accedere di nuovo.',
  signUpRefused:
    'Non è stato creato alcun account. Se ritieni di doverne avere uno, chiedi a chi gestisce questo servizio.',
  noAccount:
    'Nessun account qui è collegato a quello. Chi ne ha uno può collegarli ora: prima l’accesso qui, poi la conferma. Altrimenti, rivolgersi all’amministrazione.',
  needsInvitation:
    'Qui i nuovi account richiedono un invito. Se si ha un invito, aprirne il link e scegliere lì {provider}.',
  connectAccounts: 'Ho un account qui: accedi e collega',
  accountThere: 'Account presso {provider}: {account}.',
  switchQuestion: 'Continuare come {account}?',
  switchWarning:
    'Qui è un altro account. Senza un accesso con {provider} appena effettuato di persona, è meglio rimanere nella sessione di {user}.',
  switchYes: 'Continua come {account}',
  switchNo: 'Rimani nella sessione di {user}',
  switchDone: 'Accesso effettuato come {account}',
  connectQuestion: 'Collegare {account} di {provider} al proprio account {user}?',
  connectWarning:
    'In seguito, chi accede a {provider} come {account} accede qui come {user}. Collegare solo un account proprio.',
  connectYes: 'Collega',
  connectNo: 'Non collegare',
  connectDone: 'Gli account sono collegati',
  createQuestion: 'Creare un account qui?',
  createUnknown: 'Non è ancora collegato a un account qui. Se si ha già un account qui, collegarlo.',
  createYes: 'Crea un account',
  acceptTerms: 'Accetto le {terms}',
  terms: 'condizioni d’uso (versione {version})',
  codeQuestion: 'Inserire il codice',
  codeLabel: 'Codice dell’app di autenticazione o codice di recupero',
  codeWrong: 'Il codice è errato, scaduto o già usato. Attendere il successivo.',
  secondFactorNeeded:
    'L’account richiede una seconda prova di identità. Nella pagina di accesso, accedere con la passkey oppure con password e codice.',
  codeDone: 'Accesso effettuato',
  otherProvider: 'L’azienda richiede l’accesso con {provider}.',
  disabled: 'L’account è disattivato o scaduto. Rivolgersi all’amministrazione.',
  taken:
    'L’account presso {provider} appartiene qui a un altro utente. Usarlo per accedere o rivolgersi all’amministrazione.',
  signInToLink: 'Accedere prima qui, poi collegare l’account presso {provider}.',
  organizationInactive:
    'L’organizzazione al momento non può essere usata qui. Rivolgersi alla sua amministrazione.',
  organizationFull:
    'L’organizzazione ha già qui il numero massimo di membri. Chiedere un posto alla sua amministrazione.',
  notMember:
    'L’account non fa parte di questa organizzazione. Chiedere alla sua amministrazione di aggiungerlo.',
  needsHttps:
    '{provider} consente l’accesso solo a un indirizzo https con un nome di dominio, e {host} non lo è. Acceda qui in un altro modo.',
  noNewProof:
    '{provider} non ha chiesto di accedere di nuovo, cosa qui necessaria. Uscire da lì, poi riprovare. Se il problema persiste, rivolgersi all’amministrazione.',
  oldKey:
    'Non è stato possibile leggere la risposta di {provider}, come già altre prima. L’amministrazione deve rinnovare il collegamento con {provider}.',
  appRequestInvalid:
    'L’app ha inviato una richiesta non valida. Tornare all’app o contattare chi la gestisce.',
  appSignOutInvalid: 'L’app ha inviato una richiesta non valida. La sessione è ancora attiva.',
  appExpired:
    'È stato completato, è scaduto oppure è iniziato in un altro browser. Tornare all’app e accedere di nuovo.',
  appOther: 'Tornare all’app e riprovare.',
  signOutTitle: 'Uscire?',
  signOutFrom: 'Provenienza: {app}.',
  signOutAll: 'Verrà chiusa la sessione in tutte le app che usano questo account in questo browser.',
  signOut: 'Esci',
  staySignedIn: 'Rimani nella sessione',
  deviceTitle: 'Accesso su un dispositivo',
  deviceEnter: 'Inserire il codice mostrato dal dispositivo.',
  deviceCode: 'Codice',
  deviceUnknown: 'Questo codice è errato o è scaduto. Controllare il codice sul dispositivo.',
  deviceNext: 'Avanti',
  deviceSignInTo: 'Accedere a {app}?',
  deviceUser: 'Accesso effettuato come {user}.',
  deviceOtherUser: 'Usare un altro account',
  deviceCompare:
    'Continuare solo se il dispositivo mostra questo codice e l’accesso a {app} è stato avviato lì di persona. Se qualcuno ha inviato il codice o un link, annullare.',
  deviceGets: '{app} riceverà:',
  deviceGetsId: 'l’ID utente, e quando e come hai eseguito l’accesso',
  deviceGetsProfile: 'nome, nome utente e lingua',
  deviceGetsEmail: 'l’indirizzo email',
  deviceGetsPhone: 'il numero di telefono',
  deviceGetsAddress: 'l’indirizzo postale',
  deviceGetsValue: '{what}: {value}',
  deviceGetsGroups: 'i gruppi',
  deviceGetsPermissions: 'le autorizzazioni',
  deviceGetsAttributes: 'altri dati su di te',
  deviceGetsOrganization: 'la tua organizzazione e i tuoi ruoli',
  deviceGetsAudience: 'accesso a {audience} a nome dell’utente',
  deviceGetsOffline: 'accesso finché non viene terminato nella pagina dell’account',
  requestChanged:
    'Questa richiesta è cambiata dopo l’apertura della pagina. Non è ancora successo nulla. Rileggerla prima di rispondere.',
  deviceContinue: 'Continua',
  deviceCancel: 'Annulla',
  organizationQuestion: 'Scegli un’organizzazione',
  organizationFor: 'Continuerai su {app} per l’organizzazione che scegli.',
  consentQuestion: 'Consentire l’accesso a {app}?',
  consentWarning:
    'Nessun amministratore ha registrato questa app. Continuare solo se è stata appena avviata di persona e se {app} è affidabile.',
  nativeAppWarning:
    'Qualsiasi programma su questo dispositivo può fingersi {app}. Continuare solo se l’accesso è stato appena avviato lì di persona.',
  consentAddress: 'Indirizzo dell’app: {address}',
  consentLeadsTo: 'Poi si prosegue verso {target}.',
  deviceDoneTitle: 'Accesso sul dispositivo effettuato',
  deviceDone: 'Tornare a {app} sul dispositivo. Questa pagina può essere chiusa.',
  deviceDeniedTitle: 'Annullato',
  deviceDenied: '{app} sul dispositivo non ha effettuato l’accesso. Questa pagina può essere chiusa.',
}
