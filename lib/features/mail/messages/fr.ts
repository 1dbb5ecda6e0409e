import type { Translation } from '../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

// Spaces before colons and inside quotation marks do not break.
export const fr: Translation<typeof en> = {
  buttonHint: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u00a0:',
  fact: '{label}\u00a0: {value}',
  subjectOfProduct: '{subject} – {product}',
  signInButton: 'Se connecter',
  supportLink: 'Assistance',
  privacyLink: 'Confidentialité',
  termsLink: 'Conditions d’utilisation',

  resetSubject: 'Choisissez un nouveau mot de passe pour {product}',
  resetRequested: 'Un nouveau mot de passe a été demandé pour le compte {username} sur {host}.',
  resetInstruction: 'Pour choisir un nouveau mot de passe, ouvrez ce lien\u00a0:',
  resetButton: 'Choisir un mot de passe',
  resetExpiry:
    'Le lien fonctionne une seule fois et expire dans {minutes, plural, one {# minute} other {# minutes}}.',
  resetIgnore:
    'Si vous n’avez rien demandé, vous pouvez ignorer cet e-mail. Votre mot de passe reste le même.',
  resetLockedSubject: 'Reconnectez-vous à {product}',
  resetLocked:
    'Le bon mot de passe a été saisi pour le compte {username} sur {host}. La connexion a été refusée, car trop de tentatives avaient échoué auparavant. Pour vous connecter, choisissez d’abord un nouveau mot de passe.',
  resetBreached:
    'Le bon mot de passe a été saisi pour le compte {username} sur {host}. Ce mot de passe figure dans une fuite de données d’un autre service : d’autres personnes peuvent le connaître. Pour vous connecter, choisissez d’abord un nouveau mot de passe.',
  resetLockedWarning:
    'Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Choisissez-en un nouveau maintenant.',

  quoted: '«\u00a0{text}\u00a0»',
  confirmationSubject: 'Confirmez votre adresse e-mail pour {product}',
  confirmationEntered: 'Cette adresse a été saisie pour le compte {username} sur {host}.',
  confirmationInstruction: 'Si ce compte est le vôtre, confirmez l’adresse\u00a0:',
  confirmationButton: 'Confirmer l’adresse',
  confirmationExpiry:
    'Le lien fonctionne une seule fois et expire dans {days, plural, one {# jour} other {# jours}}.',
  confirmationIgnore:
    'Si ce compte n’est pas le vôtre, ouvrez le lien et choisissez «\u00a0Ce n’est pas mon compte\u00a0». Le compte perd alors l’adresse.',

  invitationSubject: 'Invitation à rejoindre {product}',
  invitationBy: '{inviter} vous invite à rejoindre {product}.',
  personWithAccount: '{name} ({account})',
  invitationByNoOne: 'Vous avez reçu une invitation à rejoindre {product}.',
  invitationAccount: 'Votre compte {username} sur {host} est prêt. Choisissez comment vous connecter\u00a0:',
  invitationButton: 'Accepter l’invitation',
  invitationExpiry:
    'Le lien fonctionne une seule fois et expire dans {days, plural, one {# jour} other {# jours}}. Passé ce délai, demandez une nouvelle invitation.',
  invitationIgnore:
    'Si vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail. Ne communiquez le lien à personne.',

  organizationInvitationSubject: 'Invitation à rejoindre {organization} sur {product}',
  organizationInvitationBy: '{inviter} vous invite à rejoindre l’organisation {organization} sur {host}.',
  organizationInvitationButton: 'Voir l’invitation',
  organizationEndingSubject: '{organization} sur {product} sera supprimée',
  organizationEndingHeading: 'Votre organisation sera supprimée',
  organizationEndingText:
    'La suppression de l’organisation {organization} sur {host} a été demandée par l’un de ses propriétaires. Ses adhésions, ses jetons d’API et sa connexion d’entreprise prendront fin avec elle. Les comptes de ses membres sont conservés.',
  organizationEndingDay: 'Suppression',
  organizationEndingKeep: 'D’ici là, chaque propriétaire peut conserver l’organisation.',
  organizationEndingButton: 'Voir les paramètres',
  organizationEndingReason: 'Vous recevez cet e-mail parce que vous êtes propriétaire de l’organisation.',

  signUpSubject: 'Créez votre compte {product}',
  signUpEntered:
    'Cette adresse a été saisie pour créer un compte sur {host}. Pour continuer, ouvrez ce lien\u00a0:',
  signUpButton: 'Créer un compte',
  signUpExpiry:
    'Le lien fonctionne une seule fois et expire dans {hours, plural, one {# heure} other {# heures}}.',
  signUpIgnore: 'Si ce n’était pas vous, ignorez cet e-mail. Sans le lien, aucun compte n’est créé.',
  signUpKnownSubject: 'Vous avez déjà un compte {product}',
  signUpKnown:
    'Cette adresse a été saisie pour créer un compte sur {host}. Vous avez déjà un compte avec cette adresse.',
  signUpKnownInstruction:
    'Connectez-vous avec cette adresse. Si vous avez oublié votre mot de passe, choisissez-en un nouveau à cet endroit\u00a0:',
  signUpKnownIgnore: 'Si ce n’était pas vous, vous pouvez ignorer cet e-mail. Rien n’a changé.',
  signUpWaitingSubject: 'Une personne attend un compte {product}',
  signUpWaiting: '{person} souhaite un compte sur {host} et a confirmé cette adresse.',
  signUpWaitingButton: 'Décider de la demande',
  signUpWaitingReason: 'Vous recevez cet e-mail parce que la politique d’inscription vous désigne.',

  codeSubject: 'Votre code de connexion pour {product}',
  codeInstruction: 'Utilisez ce code pour vous connecter au compte {username} sur {host}\u00a0:',
  codePlace: 'Saisissez-le sur la page où vous l’avez demandé. Il ne fonctionne nulle part ailleurs.',
  codeExpiry:
    'Le code fonctionne une seule fois et expire dans {minutes, plural, one {# minute} other {# minutes}}.',
  codeOrigin: 'Il a été demandé depuis l’adresse {address}.',
  codeIgnore: 'Si ce n’était pas vous, ignorez cet e-mail et ne communiquez le code à personne.',
  joinCodeSubject: 'Votre code pour rejoindre {organization} sur {product}',
  joinCodeInstruction:
    'Utilisez ce code pour rejoindre l’organisation {organization} sur {host} avec le compte {username}\u00a0:',

  linkSubject: '{name} (via {product})\u00a0: {subject}',
  linkHeading: '{name} a partagé un contenu avec vous',
  linkHeadingObject: '{name} a partagé {object} avec vous',
  linkHeadingCount: '{name} a partagé {count, plural, one {# élément} other {# éléments}} avec vous',
  linkBehalf: 'Envoyé de la part de {account}, qui possède un compte sur {host}.',
  linkQuote: '{name} écrit\u00a0:',
  linkButton: 'Ouvrir le lien',
  linkPassword:
    'Il est protégé par un mot de passe, qui ne figure pas dans cet e-mail. Demandez-le à {name}.',
  linkSignIn: 'Vous devez vous connecter pour l’ouvrir.',
  linkSharing: 'Toute personne disposant de ce lien peut l’ouvrir. Ne le partagez pas.',
  linkSharingWithPassword:
    'Toute personne disposant de ce lien et de son mot de passe peut l’ouvrir. Ne les partagez pas.',
  linkViews: 'Il peut être ouvert {count, plural, one {une seule fois} other {# fois}}.',
  linkExpiry: 'Il fonctionne jusqu’au {time}.',
  linkIgnore: 'Si vous ne connaissez pas {name} ou n’attendiez pas cet e-mail, vous pouvez l’ignorer.',

  certificateExpiresSubject: 'Un certificat SAML expire dans {days, plural, one {un jour} other {# jours}}',
  certificateExpiredSubject: 'Un certificat SAML a expiré',
  certificateExpires:
    'Un certificat du fournisseur SAML {provider} (ID {id}) sur {host} expire le {time}. S’il n’est pas remplacé, la connexion par ce fournisseur risque de ne plus fonctionner.',
  certificateExpired:
    'Un certificat du fournisseur SAML {provider} (ID {id}) sur {host} a expiré le {time}. S’il n’est pas remplacé, la connexion par ce fournisseur risque de ne plus fonctionner.',
  certificateOfProvider:
    'Le certificat appartient au fournisseur d’identité. Lorsque celui-ci en a un nouveau, ouvrez le fournisseur dans l’administration et actualisez ses métadonnées. Si les métadonnées ont une adresse, cela se fait automatiquement chaque jour.',
  certificateOfService:
    'Le certificat appartient à ce service. Ouvrez le fournisseur dans l’administration et publiez une nouvelle clé. Lorsque le fournisseur d’identité a relu les métadonnées, passez à la nouvelle clé au même endroit.',
  certificateButton: 'Ouvrir le fournisseur',
  certificateReason:
    'Les administrateurs reçoivent cet e-mail 60, 30 et 7 jours avant l’expiration d’un certificat.',

  setupMetadataSubject: 'Des métadonnées ont été envoyées pour {provider}',
  setupLiveSubject: '{provider} est en service',
  setupMetadata:
    'Une personne disposant de votre lien de configuration a envoyé les métadonnées d’un fournisseur d’identité pour {provider} (ID {id}) sur {host}.',
  setupLive:
    'La connexion {provider} (ID {id}) sur {host} est en service. On se connecte désormais avec ce fournisseur d’identité.',
  setupEntityId: 'Entity ID',
  setupSource: 'Métadonnées',
  setupPasted: 'collées',
  setupFingerprint: 'SHA-256',
  setupDomain: 'Domaine',
  setupCompare:
    'Le propriétaire de chaque certificat peut se connecter au nom des personnes de l’entreprise. Comparez les certificats avec le client, et pas par e-mail. Si l’un d’eux est faux, supprimez la connexion.',
  setupProposal:
    'Les métadonnées à cette adresse ne sont relues que lorsque vous choisissez l’adresse dans l’administration.',
  setupReason: 'Vous recevez cet e-mail parce que vous avez créé le lien de configuration.',

  noticeAccount: 'Compte',
  noticeAccountValue: '{username} sur {host}',
  noticeTime: 'Date',
  noticeFrom: 'Depuis',
  noticeFromValue: '{address}, {device}',
  noticeBy: 'Par',
  noticeByAdministrator: 'un administrateur',
  noticeQuestion:
    'Si c’était vous, vous pouvez ignorer cet e-mail. Si ce n’était pas vous, ouvrez ce lien\u00a0:',
  noticeButton: 'Ce n’était pas moi',
  noticePage: 'La page explique ce qui se passe avant toute modification.',
  noticeExpiry: 'Le lien expire dans {days, plural, one {# jour} other {# jours}}.',
  noticeAskAdministrator: 'Si vous ne vous y attendiez pas, demandez à votre administrateur.',
  noticeReason: 'Il n’est pas possible de désactiver ces e-mails, car ils protègent votre compte.',
  deviceWithBrowser: '{browser} sous {system}',
  deviceWithoutBrowser: 'un programme inconnu sous {system}',
  deviceUnknown: 'un programme inconnu',

  passwordChangedSubject: 'Votre mot de passe a été modifié',
  passwordChangedText:
    'Le mot de passe de votre compte a été modifié. Toutes les autres sessions ont été fermées.',
  passwordResetSubject: 'Votre mot de passe a été réinitialisé',
  passwordResetText:
    'Un nouveau mot de passe a été choisi à l’aide d’un lien de réinitialisation. Toutes les sessions ont été fermées.',
  passwordSetSubject: 'Un administrateur vous a attribué un nouveau mot de passe',
  passwordSetText:
    'Un administrateur a attribué un nouveau mot de passe à votre compte. Toutes les sessions ont été fermées.',
  emailChangedSubject: 'Votre adresse e-mail a été modifiée',
  emailChangedText:
    'Votre compte a maintenant une autre adresse e-mail. Les e-mails de votre compte ne sont plus envoyés à cette adresse.',
  emailMovedSubject: 'Votre adresse e-mail appartient désormais à un autre compte',
  emailMovedText:
    'Votre entreprise a connecté une personne avec cette adresse. L’adresse appartient désormais à ce compte, et le compte ci-dessous ne l’a plus. Tout le reste du compte est conservé, et vous vous y connectez comme avant. Si les deux comptes sont à vous, demandez à un administrateur de les fusionner.',
  secondFactorEnabledSubject: 'Votre second facteur a été activé',
  secondFactorEnabledText:
    'La connexion demande désormais aussi un code d’une application d’authentification.',
  secondFactorDisabledSubject: 'Votre second facteur a été désactivé',
  secondFactorDisabledText: 'La connexion ne demande plus de code d’une application d’authentification.',
  recoveryCodeUsedSubject: 'Un code de récupération a été utilisé',
  recoveryCodeUsedText:
    'Un code de récupération a remplacé le code de votre application d’authentification. Il ne fonctionnera plus.',
  recoveryCodesRenewedSubject: 'Vos codes de récupération ont été remplacés',
  recoveryCodesRenewedText:
    'Votre compte a de nouveaux codes de récupération. Les codes précédents ne fonctionnent plus.',
  deviceRememberedSubject: 'Un navigateur a été mémorisé',
  deviceRememberedText:
    'Dans un navigateur où le second facteur a été utilisé, les connexions avec votre mot de passe ne le demandent plus, pour une durée limitée.',
  rememberedDeviceReusedSubject: 'Un navigateur mémorisé a été oublié',
  rememberedDeviceReusedText:
    'Une personne qui connaissait votre mot de passe a utilisé une ancienne copie des données d’un navigateur mémorisé. Ce navigateur n’est plus mémorisé. Changez votre mot de passe si vous ne savez pas pourquoi.',
  passkeyAddedSubject: 'Une clé d’accès a été ajoutée',
  passkeyAddedText: 'Une clé d’accès a été ajoutée à votre compte. Elle permet désormais de se connecter.',
  passkeyRemovedSubject: 'Une clé d’accès a été supprimée',
  passkeyRemovedText:
    'Une clé d’accès de votre compte a été supprimée. Elle ne permet plus de se connecter, et les autres sessions ont été fermées.',
  passkeyClonedSubject: 'Une clé d’accès a été refusée',
  passkeyClonedText:
    'Une clé d’accès de votre compte a été refusée, car il en existe peut-être une copie. Supprimez cette clé d’accès si vous ne savez pas pourquoi.',
  passkeyRequiredSubject: 'Votre mot de passe exige désormais une clé d’accès',
  passkeyRequiredText: 'La connexion avec votre mot de passe demande désormais aussi une clé d’accès.',
  passkeyOptionalSubject: 'Votre mot de passe n’exige plus de clé d’accès',
  passkeyOptionalText: 'La connexion avec votre mot de passe ne demande plus de clé d’accès.',
  apiTokenCreatedSubject: 'Un jeton d’API a été créé',
  apiTokenCreatedText:
    'Un nouveau jeton d’API a été créé pour votre compte. Des programmes peuvent l’utiliser pour agir avec vos autorisations.',
  apiTokenRevokedSubject: 'Un administrateur a supprimé l’un de vos jetons d’API',
  apiTokenRevokedText:
    'Un administrateur a supprimé un jeton d’API de votre compte. Il ne fonctionne plus. Si un programme l’utilisait, demandez-en la raison à l’administrateur avant d’en créer un nouveau.',
  companyAccountLinkedSubject: 'Un autre compte a été associé au vôtre',
  companyAccountLinkedText:
    'Un compte d’un fournisseur d’identité a été associé à votre compte. Il permet désormais de se connecter.',
  companyAccountUnlinkedSubject: 'Un compte associé a été dissocié',
  companyAccountUnlinkedText:
    'Un compte d’un fournisseur d’identité a été dissocié de votre compte. Il ne permet plus de se connecter, et les autres sessions ont été fermées.',
  signInByCompanySubject: 'Vous vous connectez désormais par votre entreprise',
  signInByCompanyText:
    'Votre compte a été associé à la connexion de votre entreprise, car il a votre adresse e-mail professionnelle. Tous les autres moyens de connexion ont pris fin : mot de passe, application d’authentification, clés d’accès, jetons d’API et autres comptes associés. Connectez-vous par votre entreprise pour ajouter de nouveau ceux dont vous avez besoin.',
  credentialLeakedSubject: 'L’un de vos identifiants a été divulgué',
  credentialLeakedText:
    'Une session, un jeton d’API ou un lien de votre compte a été trouvé à un endroit où d’autres pouvaient le lire. Il a été révoqué et ne fonctionne plus. Si un programme l’utilisait, créez-en un nouveau. Retirez l’ancien de l’endroit où il a été publié.',
  signInLockedSubject: 'Trop de tentatives de connexion à votre compte ont échoué',
  signInLockedText:
    '100 tentatives de connexion à votre compte ont échoué de suite. Vous pouvez vous connecter depuis les navigateurs et les réseaux que vous avez déjà utilisés. Pour vous connecter depuis un autre endroit, réinitialisez votre mot de passe.',
  emailRestoredSubject: 'Votre adresse e-mail a été retirée d’un compte',
  emailRestoredText:
    'Le compte a retrouvé son adresse e-mail précédente. Une personne ayant accès à cette adresse a signalé ne pas l’avoir modifiée. S’il s’agit d’une erreur, demandez à un administrateur.',
  administratorAddedSubject: 'Un nouvel administrateur a été ajouté',
  administratorAddedText:
    'Un compte a reçu les droits d’administration. Son utilisateur peut désormais tout faire ici.',
  administratorGroupChangedSubject: 'Un groupe d’administrateurs a été modifié',
  administratorGroupChangedText:
    'Un groupe a reçu les droits d’administration, ou un groupe qui les possède a de nouveaux membres. Ses membres peuvent désormais tout faire ici.',
  administratorSignInSetSubject: 'La connexion d’un administrateur a été modifiée',
  administratorSignInSetText:
    'Une autre personne a modifié le mot de passe, l’adresse e-mail ou un autre moyen de connexion d’un administrateur.',
  accountDeletionRequestedSubject: 'La suppression de votre compte a été demandée',
  accountDeletionRequestedText:
    'Une personne connectée à votre compte a demandé sa suppression. Jusque-là, vous pouvez retirer la demande sur la page de votre compte.',
  accountDeletionWithdrawnSubject: 'La demande de suppression de votre compte a été retirée',
  accountDeletionWithdrawnText:
    'Une personne connectée à votre compte a retiré la demande de suppression. Le compte est conservé. Si vous voulez toujours le supprimer, refaites la demande sur la page de votre compte.',
  accountDeletionAskedSubject: 'Un utilisateur demande la suppression de son compte',
  accountDeletionAskedText:
    'Un utilisateur souhaite partir, et ce service laisse les administrateurs décider.',
  accountDeletionAskedAct:
    'L’utilisateur ne peut pas supprimer le compte seul. Supprimez-le dans l’administration, ou interrogez l’utilisateur si quelque chose n’est pas clair.',
  accountDeletionAskedButton: 'Ouvrir l’utilisateur',
  administratorNoticeGroup: 'Groupe',
  administratorNoticeAct:
    'Si vous ne vous y attendiez pas, consultez le journal d’audit et fermez les sessions de la personne concernée.',
  administratorNoticeButton: 'Ouvrir le journal d’audit',
  administratorNoticeReason:
    'Les administrateurs ne peuvent pas désactiver ces e-mails, car ils protègent le service.',
  organizationOwnerAddedSubject: 'Une organisation a un nouveau propriétaire',
  organizationOwnerAddedText:
    'Une organisation a un nouveau propriétaire. Les propriétaires peuvent tout y faire.',
  organizationTokenCreatedSubject: 'Un jeton d’API d’une organisation a été créé',
  organizationTokenCreatedText:
    'Une organisation a un nouveau jeton d’API. Des programmes l’utilisent pour agir en son nom, même après le départ de la personne qui l’a créé.',
  organizationSignInAddedSubject: 'Une connexion d’entreprise a été ajoutée à une organisation',
  organizationSignInAddedText:
    'Une organisation a une nouvelle connexion à un fournisseur d’identité. Dès qu’elle fonctionne, des personnes peuvent devenir membres grâce à elle.',
  organizationDomainProvenSubject: 'Un domaine d’une organisation a été prouvé',
  organizationDomainProvenText:
    'Une organisation a un nouveau domaine prouvé. Les personnes dont l’adresse est dans ce domaine peuvent se connecter par la connexion d’entreprise.',
  organizationRolesReportedSubject: 'Une personne a signalé le vol de son compte',
  organizationRolesReportedText:
    'Une personne d’une organisation a signalé que des modifications de son compte ne venaient pas d’elle. Ses jetons d’API et ses invitations ouvertes depuis ce moment ont pris fin. Ce compte a donné depuis leurs rôles aux membres suivants. Les rôles restent jusqu’à ce que vous les changiez.',
  directoryOwnerKeptSubject: 'Le dernier propriétaire d’une organisation a quitté son annuaire',
  directoryOwnerKeptText:
    'L’annuaire d’une organisation a retiré son dernier propriétaire. Ses sessions et sa connexion y ont pris fin. Son appartenance reste jusqu’à ce qu’une autre personne soit propriétaire : nommez un autre membre propriétaire, et l’annuaire y mettra fin à sa prochaine requête.',
  directoryPeopleLeftSubject: 'Beaucoup de personnes ont quitté l’annuaire d’une connexion',
  directoryPeopleLeftText:
    'En dix minutes, l’annuaire d’une connexion a retiré plus de 50 personnes, soit plus d’un cinquième de toutes. Leurs accès ont pris fin. Si c’était une erreur, arrêtez l’annuaire sur la page de la connexion et rétablissez-y les personnes.',
  signInHookFailedSubject: 'Personne ne peut se connecter, car une fonction d’un produit échoue',
  signInHookFailedText:
    'Le service interroge une fonction d’un produit à chaque connexion, et elle ne donne aucune réponse utilisable. Seuls les administrateurs peuvent se connecter, avec une clé d’accès ou un second facteur. Le compte ci-dessous l’a fait. Réparez la fonction, ou désactivez le hook dans les paramètres du service.',
  directoryPeopleLeftButton: 'Voir la connexion',
  ownerNoticeOrganization: 'Organisation',
  ownerNoticeConcerns: 'Concerne',
  ownerNoticeRoles: 'Rôles donnés',
  ownerNoticeAct: 'Si vous ne vous y attendiez pas, vérifiez et mettez-y fin.',
  ownerNoticeButton: 'Voir l’organisation',
  signInEndedSubject: 'Vous devez configurer à nouveau votre connexion',
  signInEndedText:
    'Votre compte a reçu de nouvelles autorisations. Une personne qui ne les possède pas, ou la connexion de votre entreprise, avait déterminé votre façon de vous connecter. Elle ne fonctionne donc plus. Vous recevrez un lien pour choisir un nouveau mot de passe, ou votre administrateur vous aidera. Vous pourrez ensuite reconnecter votre compte d’entreprise sur la page de votre compte.',
  newDeviceSubject: 'Nouvelle connexion à votre compte',
  newDeviceText: 'Votre compte a été utilisé depuis un appareil qui n’avait encore jamais servi.',
}
