import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const it: Translation<typeof en> = {
  buttonHint: 'Se il pulsante non funziona, copiare questo indirizzo nel browser:',
  fact: '{label}: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Accedi',
  supportLink: 'Aiuto',
  privacyLink: 'Privacy',
  termsLink: 'Condizioni d’uso',

  resetSubject: 'Nuova password per {product}',
  resetRequested: 'È stata richiesta una nuova password per l’account {username} su {host}.',
  resetInstruction: 'Per scegliere una nuova password, aprire questo link:',
  resetButton: 'Scegli una nuova password',
  resetExpiry:
    'Il link funziona una sola volta e scade tra {minutes, plural, one {# minuto} other {# minuti}}.',
  resetIgnore:
    'Se la richiesta è stata fatta da altri, si può ignorare questa e-mail. La password resta la stessa.',
  resetLockedSubject: 'Come accedere di nuovo a {product}',
  resetLocked:
    'Qualcuno ha inserito la password corretta dell’account {username} su {host}. L’accesso è stato rifiutato perché prima c’erano stati troppi tentativi falliti. Per accedere, scegliere prima una nuova password.',
  resetBreached:
    'Qualcuno ha inserito la password corretta dell’account {username} su {host}. Questa password compare in una violazione dei dati di un altro servizio, quindi altri possono conoscerla. Per accedere, scegliere prima una nuova password.',
  resetLockedWarning:
    'Se il tentativo è stato fatto da altri, qualcuno conosce la password. Sceglierne subito una nuova.',

  quoted: '“{text}”',
  confirmationSubject: 'Conferma dell’indirizzo e-mail per {product}',
  confirmationEntered: 'Questo indirizzo è stato inserito per l’account {username} su {host}.',
  confirmationInstruction: 'Se l’account è il proprio, confermare l’indirizzo:',
  confirmationButton: 'Conferma questo indirizzo',
  confirmationExpiry:
    'Il link funziona una sola volta e scade tra {days, plural, one {# giorno} other {# giorni}}.',
  confirmationIgnore:
    'Se l’account non è il proprio, aprire il link e scegliere “Questo non è il mio account”. L’account perde così l’indirizzo.',

  invitationSubject: 'Invito a {product}',
  invitationBy: '{inviter} invia un invito a {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Questo è un invito a {product}.',
  invitationAccount: 'L’account {username} su {host} è pronto. Scegliere come accedere:',
  invitationButton: 'Accetta l’invito',
  invitationExpiry:
    'Il link funziona una sola volta e scade tra {days, plural, one {# giorno} other {# giorni}}. Dopo, chiedere un nuovo invito.',
  invitationIgnore: 'Se l’invito è inatteso, si può ignorare questa e-mail. Non inoltrare il link ad altri.',

  codeSubject: 'Codice di accesso a {product}',
  codeInstruction: 'Usare questo codice per accedere all’account {username} su {host}:',
  codePlace: 'Inserirlo nella pagina in cui è stato richiesto. Altrove non funziona.',
  codeExpiry:
    'Il codice funziona una sola volta e scade tra {minutes, plural, one {# minuto} other {# minuti}}.',
  codeOrigin: 'È stato richiesto dall’indirizzo {address}.',
  codeIgnore: 'Se la richiesta è stata fatta da altri, ignorare questa e-mail e non comunicare il codice.',
  joinCodeSubject: 'Codice per entrare in {organization} su {product}',
  joinCodeInstruction:
    'Usare questo codice per entrare nell’organizzazione {organization} su {host} con l’account {username}:',

  linkSubject: '{name} (tramite {product}): {subject}',
  linkHeading: '{name} ha condiviso qualcosa',
  linkHeadingObject: '{name} ha condiviso {object}',
  linkHeadingCount: '{name} ha condiviso {count, plural, one {# elemento} other {# elementi}}',
  linkBehalf: 'Inviata per conto di {account}, che ha un account su {host}.',
  linkQuote: '{name} scrive:',
  linkButton: 'Apri il link',
  linkPassword: 'È protetto da una password che non si trova in questa e-mail. Chiederla a {name}.',
  linkSignIn: 'Per aprirlo è necessario accedere.',
  linkSharing: 'Chiunque abbia questo link può aprirlo. Non condividerlo.',
  linkSharingWithPassword: 'Chiunque abbia questo link e la sua password può aprirlo. Non condividerli.',
  linkViews: 'Può essere aperto {count, plural, one {una volta} other {# volte}}.',
  linkExpiry: 'Funziona fino a: {time}.',
  linkIgnore: 'Se {name} è una persona sconosciuta o l’e-mail è inattesa, si può ignorarla.',

  certificateExpiresSubject: 'Un certificato SAML scade tra {days, plural, one {un giorno} other {# giorni}}',
  certificateExpiredSubject: 'Un certificato SAML è scaduto',
  certificateExpires:
    'Un certificato del provider SAML {provider} (ID {id}) su {host} scade il {time}. Se il certificato non viene sostituito, l’accesso con questo provider potrebbe smettere di funzionare.',
  certificateExpired:
    'Un certificato del provider SAML {provider} (ID {id}) su {host} è scaduto il {time}. Se il certificato non viene sostituito, l’accesso con questo provider potrebbe smettere di funzionare.',
  certificateOfProvider:
    'Il certificato appartiene al provider di identità. Quando il provider ne ha uno nuovo, aprire il provider nell’amministrazione e aggiornare i metadati. Se i metadati hanno un indirizzo, questo avviene automaticamente ogni giorno.',
  certificateOfService:
    'Il certificato appartiene a questo servizio. Aprire il provider nell’amministrazione e pubblicare una nuova chiave. Quando il provider di identità ha riletto i metadati, passare lì alla nuova chiave.',
  certificateButton: 'Apri il provider',
  certificateReason:
    'Chi amministra riceve questa e-mail 60, 30 e 7 giorni prima della scadenza di un certificato.',

  setupMetadataSubject: 'Sono stati inviati metadati per {provider}',
  setupLiveSubject: '{provider} è attivo',
  setupMetadata:
    'Qualcuno con il tuo link di configurazione ha inviato i metadati di un provider di identità per {provider} (ID {id}) su {host}.',
  setupLive:
    'La connessione {provider} (ID {id}) su {host} è attiva. Ora si accede con questo provider di identità.',
  setupEntityId: 'Entity ID',
  setupSource: 'Metadati',
  setupPasted: 'incollati',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Dominio',
  setupCompare:
    'Chi possiede uno dei certificati può accedere come le persone dell’azienda. Confronta i certificati con il cliente, e non per e-mail. Se uno è sbagliato, elimina la connessione.',
  setupProposal:
    'I metadati a questo indirizzo non vengono riletti finché l’indirizzo non viene scelto nell’amministrazione.',
  setupReason: 'Ricevi questa e-mail perché hai creato il link di configurazione.',

  noticeAccount: 'Account',
  noticeAccountValue: '{username} su {host}',
  noticeTime: 'Data e ora',
  noticeFrom: 'Da',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Autore',
  noticeByAdministrator: 'amministrazione',
  noticeQuestion:
    'Se la modifica è voluta, si può ignorare questa e-mail. Se è stata fatta da altri, aprire questo link:',
  noticeButton: 'Modifica non mia',
  noticePage: 'La pagina spiega che cosa succede prima che cambi qualcosa.',
  noticeExpiry: 'Il link scade tra {days, plural, one {# giorno} other {# giorni}}.',
  noticeAskAdministrator: 'Se la modifica è inattesa, rivolgersi all’amministrazione.',
  noticeReason: 'Queste e-mail non si possono disattivare, perché proteggono l’account.',
  deviceWithBrowser: '{browser} su {system}',
  deviceWithoutBrowser: 'un programma sconosciuto su {system}',
  deviceUnknown: 'un programma sconosciuto',

  passwordChangedSubject: 'La password è stata cambiata',
  passwordChangedText: 'La password dell’account è stata cambiata. Tutte le altre sessioni sono terminate.',
  passwordResetSubject: 'La password è stata reimpostata',
  passwordResetText:
    'È stata impostata una nuova password con un link di reimpostazione. Tutte le sessioni sono terminate.',
  passwordSetSubject: 'L’amministrazione ha impostato una nuova password',
  passwordSetText:
    'L’amministrazione ha impostato una nuova password per l’account. Tutte le sessioni sono terminate.',
  emailChangedSubject: 'L’indirizzo e-mail è stato cambiato',
  emailChangedText:
    'L’account ha ora un altro indirizzo e-mail. Le e-mail dell’account non arrivano più a questo indirizzo.',
  emailMovedSubject: 'L’indirizzo e-mail è passato a un altro account',
  emailMovedText:
    'L’azienda ha fatto accedere una persona con questo indirizzo. Ora l’indirizzo appartiene a quell’account, e l’account indicato sotto non lo ha più. Tutto il resto dell’account rimane, e l’accesso avviene come prima. Se entrambi gli account sono della stessa persona, chiedere all’amministrazione di unirli.',
  secondFactorEnabledSubject: 'Il secondo fattore è stato attivato',
  secondFactorEnabledText: 'Per accedere serve ora anche un codice di un’app di autenticazione.',
  secondFactorDisabledSubject: 'Il secondo fattore è stato disattivato',
  secondFactorDisabledText: 'Per accedere non serve più un codice di un’app di autenticazione.',
  recoveryCodeUsedSubject: 'È stato usato un codice di recupero',
  recoveryCodeUsedText:
    'Un codice di recupero ha sostituito il codice dell’app di autenticazione. Non funziona più.',
  recoveryCodesRenewedSubject: 'I codici di recupero sono stati sostituiti',
  recoveryCodesRenewedText: 'L’account ha nuovi codici di recupero. I precedenti non funzionano più.',
  deviceRememberedSubject: 'Un browser è stato memorizzato',
  deviceRememberedText:
    'In un browser in cui è stato usato il secondo fattore, gli accessi con la password non lo chiedono più per un tempo limitato.',
  rememberedDeviceReusedSubject: 'Un browser memorizzato è stato rimosso',
  rememberedDeviceReusedText:
    'Qualcuno che conosceva la password ha usato una vecchia copia dei dati di un browser memorizzato. Il browser non è più memorizzato. Se il motivo non è noto, cambiare la password.',
  passkeyAddedSubject: 'È stata aggiunta una passkey',
  passkeyAddedText: 'All’account è stata aggiunta una passkey. Ora può essere usata per accedere.',
  passkeyRemovedSubject: 'È stata rimossa una passkey',
  passkeyRemovedText:
    'Una passkey dell’account è stata rimossa. Non permette più di accedere e le altre sessioni sono terminate.',
  passkeyClonedSubject: 'Una passkey è stata rifiutata',
  passkeyClonedText:
    'Una passkey dell’account è stata rifiutata, perché potrebbe esisterne una copia. Se il motivo non è noto, rimuovere questa passkey.',
  passkeyRequiredSubject: 'Ora con la password serve anche una passkey',
  passkeyRequiredText: 'Per accedere con la password serve ora anche una passkey.',
  passkeyOptionalSubject: 'Con la password non serve più una passkey',
  passkeyOptionalText: 'Per accedere con la password non serve più una passkey.',
  apiTokenCreatedSubject: 'È stato creato un token API',
  apiTokenCreatedText:
    'Per l’account è stato creato un nuovo token API. I programmi possono usarlo per agire con le autorizzazioni dell’account.',
  apiTokenRevokedSubject: 'L’amministrazione ha eliminato un token API',
  apiTokenRevokedText:
    'L’amministrazione ha eliminato un token API dell’account. Non funziona più. Se lo usava un programma, chiedere il motivo all’amministrazione prima di crearne uno nuovo.',
  companyAccountLinkedSubject: 'È stato collegato un altro account',
  companyAccountLinkedText:
    'Un account presso un provider di identità è stato collegato a questo account. Ora può essere usato per accedere.',
  companyAccountUnlinkedSubject: 'Un account collegato è stato rimosso',
  companyAccountUnlinkedText:
    'Un account presso un provider di identità è stato scollegato da questo account. Non permette più di accedere e le altre sessioni sono terminate.',
  signInByCompanySubject: 'Ora l’accesso avviene tramite l’azienda',
  signInByCompanyText:
    'L’account è stato collegato all’accesso dell’azienda, perché ha l’indirizzo e-mail aziendale. Tutti gli altri modi di accedere sono terminati: password, app di autenticazione, passkey, token API e altri account collegati. Accedere tramite l’azienda per aggiungere di nuovo quelli che servono.',
  credentialLeakedSubject: 'Una credenziale è diventata pubblica',
  credentialLeakedText:
    'Una sessione, un token API o un link dell’account è stato trovato dove altri potevano leggerlo. È stato disattivato e non funziona più. Se lo usava un programma, crearne uno nuovo. Rimuovere quello vecchio dal luogo in cui era pubblicato.',
  signInLockedSubject: 'Troppi tentativi falliti di accesso all’account',
  signInLockedText:
    'Ci sono stati 100 tentativi falliti consecutivi di accesso all’account. È possibile accedere da browser e reti già usati in passato. Per accedere da altrove, reimpostare la password.',
  emailRestoredSubject: 'L’indirizzo e-mail è stato rimosso da un account',
  emailRestoredText:
    'L’account ha di nuovo l’indirizzo e-mail precedente. Qualcuno con accesso a quell’indirizzo ha segnalato di non averlo cambiato. Se la segnalazione è sbagliata, rivolgersi all’amministrazione.',
  administratorAddedSubject: 'È stato aggiunto un nuovo amministratore',
  administratorAddedText:
    'Un account ha ricevuto i diritti di amministrazione. Chi lo usa può ora fare tutto.',
  administratorGroupChangedSubject: 'Un gruppo di amministratori è stato modificato',
  administratorGroupChangedText:
    'Un gruppo ha ricevuto i diritti di amministrazione, oppure un gruppo che li ha già ha nuovi membri. I membri possono ora fare tutto.',
  administratorSignInSetSubject: 'L’accesso di un amministratore è stato modificato',
  administratorSignInSetText:
    'Qualcun altro ha cambiato la password, l’indirizzo e-mail o un altro modo di accedere di un amministratore.',
  accountDeletionRequestedSubject: 'È stata richiesta l’eliminazione dell’account',
  accountDeletionRequestedText:
    'Qualcuno che ha effettuato l’accesso all’account ne ha richiesto l’eliminazione. Fino ad allora è possibile ritirare la richiesta nella pagina dell’account.',
  accountDeletionWithdrawnSubject: 'La richiesta di eliminare l’account è stata ritirata',
  accountDeletionWithdrawnText:
    'Una persona che ha eseguito l’accesso all’account ha ritirato la richiesta di eliminarlo. L’account rimane. Per eliminarlo comunque, ripeti la richiesta nella pagina dell’account.',
  accountDeletionAskedSubject: 'Una persona chiede l’eliminazione del proprio account',
  accountDeletionAskedText: 'Una persona vuole andarsene, e in questo servizio decide chi amministra.',
  accountDeletionAskedAct:
    'La persona non può eliminare l’account da sola. Eliminarlo nell’amministrazione, oppure chiedere alla persona se qualcosa non è chiaro.',
  accountDeletionAskedButton: 'Apri l’utente',
  administratorNoticeGroup: 'Gruppo',
  administratorNoticeAct:
    'Se la modifica è inattesa, consultare il registro delle attività e terminare le sessioni della persona che l’ha fatta.',
  administratorNoticeButton: 'Apri il registro delle attività',
  administratorNoticeReason:
    'Chi amministra non può disattivare queste e-mail, perché proteggono il servizio.',
  organizationOwnerAddedSubject: 'Un’organizzazione ha un nuovo proprietario',
  organizationOwnerAddedText:
    'Un’organizzazione ha un nuovo proprietario. I proprietari possono fare tutto al suo interno.',
  organizationTokenCreatedSubject: 'È stato creato un token API di un’organizzazione',
  organizationTokenCreatedText:
    'Un’organizzazione ha un nuovo token API. I programmi lo usano per agire per l’organizzazione, anche dopo che chi l’ha creato è uscito.',
  organizationSignInAddedSubject: 'A un’organizzazione è stato aggiunto un accesso aziendale',
  organizationSignInAddedText:
    'Un’organizzazione ha una nuova connessione a un provider di identità. Appena funziona, altre persone possono diventare membri tramite essa.',
  organizationDomainProvenSubject: 'È stato dimostrato un dominio di un’organizzazione',
  organizationDomainProvenText:
    'Un’organizzazione ha un nuovo dominio dimostrato. Chi ha un indirizzo di questo dominio può accedere con l’accesso aziendale.',
  organizationRolesReportedSubject: 'Qualcuno ha segnalato il furto del proprio account',
  organizationRolesReportedText:
    'Una persona di un’organizzazione ha segnalato che le modifiche al suo account non erano sue. I suoi token API e gli inviti aperti da allora sono terminati. Da allora questo account ha dato i ruoli ai membri seguenti. I ruoli restano finché non li modifica.',
  directoryOwnerKeptSubject: 'L’ultimo proprietario di un’organizzazione ha lasciato la sua directory',
  directoryOwnerKeptText:
    'La directory di un’organizzazione ha rimosso l’ultimo proprietario. Le sue sessioni e il suo accesso lì sono terminati. L’appartenenza resta finché un’altra persona non è proprietaria: nomini proprietario un altro membro e la directory la terminerà con la prossima richiesta.',
  directoryPeopleLeftSubject: 'Molte persone hanno lasciato la directory di una connessione',
  directoryPeopleLeftText:
    'In dieci minuti la directory di una connessione ha rimosso più di 50 persone e più di un quinto del totale. I loro accessi sono terminati. Se è stato un errore, fermi la directory nella pagina della connessione e ripristini lì le persone.',
  signInHookFailedSubject: 'Nessuno può accedere perché una funzione di un prodotto non risponde',
  signInHookFailedText:
    'Il servizio interroga una funzione di un prodotto a ogni accesso, e questa non dà una risposta utilizzabile. Solo gli amministratori possono accedere, con una passkey o un secondo fattore. L’account indicato sotto lo ha fatto. Riparate la funzione o disattivate l’hook nelle impostazioni del servizio.',
  directoryPeopleLeftButton: 'Vedi la connessione',
  ownerNoticeOrganization: 'Organizzazione',
  ownerNoticeConcerns: 'Riguarda',
  ownerNoticeRoles: 'Ruoli assegnati',
  ownerNoticeAct: 'Se non se lo aspettava, verifichi e lo termini.',
  ownerNoticeButton: 'Vedi l’organizzazione',
  signInEndedSubject: 'È necessario configurare di nuovo l’accesso',
  signInEndedText:
    'L’account ha ricevuto nuove autorizzazioni. In precedenza qualcuno che non le ha, o l’accesso aziendale, aveva deciso come accedere. Perciò quanto impostato non funziona più. Arriverà un link per scegliere una nuova password, oppure aiuterà l’amministrazione. In seguito si potrà ricollegare l’account aziendale nella pagina dell’account.',
  newDeviceSubject: 'Nuovo accesso all’account',
  newDeviceText: 'È stato effettuato un accesso all’account da un dispositivo mai usato prima.',
  organizationInvitationSubject: 'Invito a {organization} su {product}',
  organizationInvitationBy: '{inviter} invia un invito all’organizzazione {organization} su {host}.',
  organizationInvitationButton: 'Vedi l’invito',
  organizationEndingSubject: '{organization} su {product} sarà eliminata',
  organizationEndingHeading: 'La tua organizzazione sarà eliminata',
  organizationEndingText:
    'Un proprietario ha chiesto di eliminare l’organizzazione {organization} su {host}. Con essa terminano le adesioni, i token API e l’accesso aziendale. Gli account dei membri restano.',
  organizationEndingDay: 'Eliminazione',
  organizationEndingKeep: 'Fino ad allora ogni proprietario può mantenere l’organizzazione.',
  organizationEndingButton: 'Vedi le impostazioni',
  organizationEndingReason: 'Ricevi questa e-mail perché sei proprietario dell’organizzazione.',

  signUpSubject: 'Creare un account per {product}',
  signUpEntered:
    'Questo indirizzo è stato inserito per creare un account su {host}. Per continuare, aprire questo link:',
  signUpButton: 'Crea un account',
  signUpExpiry: 'Il link funziona una sola volta e scade tra {hours, plural, one {# ora} other {# ore}}.',
  signUpIgnore:
    'Se la richiesta è di altri, ignorare questa e-mail. Senza il link non viene creato nessun account.',
  signUpKnownSubject: 'Esiste già un account per {product}',
  signUpKnown:
    'Questo indirizzo è stato inserito per creare un account su {host}. Con questo indirizzo esiste già un account.',
  signUpKnownInstruction:
    'Accedere con questo indirizzo. Se la password è stata dimenticata, sceglierne lì una nuova:',
  signUpKnownIgnore: 'Se la richiesta è di altri, si può ignorare questa e-mail. Non è cambiato nulla.',
  signUpWaitingSubject: 'Qualcuno attende un account per {product}',
  signUpWaiting: '{person} desidera un account su {host} e ha confermato questo indirizzo.',
  signUpWaitingButton: 'Decidi sulla richiesta',
  signUpWaitingReason: 'Questa e-mail arriva a chi è indicato nella regola di registrazione.',
}
