import type { Translation } from '../../../../kernel/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  goToSignIn: 'Aller à la page de connexion',
  support: 'Aide',
  tryAgain: 'Réessayer',
  requestNumber: 'Numéro de la demande\u00a0: {number}',
  minutes: '{count, plural, one {# minute} other {# minutes}}',
  seconds: '{count, plural, one {# seconde} other {# secondes}}',
  notFoundTitle: 'Page introuvable',
  notFound:
    'Aucune page ne se trouve à cette adresse. L’adresse est peut-être incomplète, ou la page a été déplacée.',
  noPageTitle: 'Cette page ne peut pas être affichée',
  noPage: 'Cette adresse est destinée à des programmes et n’a pas de page.',
  tooManyTitle: 'Trop de tentatives',
  tooMany: 'Il y a eu trop de tentatives. Attendez {wait}, puis réessayez.',
  notSignedInTitle: 'Vous n’êtes pas connecté',
  forbiddenTitle: 'Vous ne pouvez pas faire cela',
  didNotWorkTitle: 'Cela n’a pas fonctionné',
  wrongTitle: 'Un problème est survenu',
  signOutFailedTitle: 'La déconnexion a échoué',
  signInFailedTitle: 'La connexion a échoué',
  expiredTitle: 'Cette connexion n’est plus valable',
  providerMissing:
    'Ce lien mène à un mode de connexion qui n’est plus disponible. Allez à la page de connexion et choisissez-en un autre.',
  signInFirst: 'Allez à la page de connexion, connectez-vous, puis réessayez.',
  forbidden: 'Vous n’avez pas le droit de faire cela. Si vous en avez besoin, demandez à un administrateur.',
  conflict: 'Une autre personne a fait une modification en même temps. Réessayez.',
  ourSide:
    'Un problème est survenu de notre côté. Réessayez dans un instant. Si le problème persiste, communiquez à un administrateur le numéro ci-dessous.',
  yourProvider: 'votre service de connexion',
  startLinkInvalid:
    'Le lien qui vous a amené ici pour vous connecter avec {provider} n’est pas valable. Recommencez ici ou sur la page de connexion.',
  responseUnreadable:
    'La réponse de {provider} est illisible, vous n’êtes donc pas connecté. Réessayez. Si le problème persiste, contactez un administrateur.',
  signOutUnreadable:
    'La réponse de {provider} est inutilisable, vous êtes donc peut-être encore connecté ici. Vérifiez sur la page de connexion et déconnectez-vous là.',
  linkInvalid: 'Ce lien n’est pas valable. Commencez sur la page de connexion.',
  failed:
    'La connexion avec {provider} n’a pas fonctionné. Réessayez. Si le problème persiste, communiquez à un administrateur le numéro ci-dessous.',
  noCookie:
    'Votre navigateur n’a pas conservé un cookie nécessaire à la connexion. Autorisez les cookies pour {host} et reconnectez-vous.',
  notStarted:
    'La connexion avec {provider} n’a pas commencé ici, ou elle a commencé il y a trop longtemps. Recommencez ici.',
  otherBrowser: 'La connexion a commencé dans un autre navigateur. Reconnectez-vous dans celui-ci.',
  ended: 'La connexion est déjà terminée ou a duré trop longtemps. Reconnectez-vous.',
  signedOut: '{provider} vous a déconnecté entre-temps. Reconnectez-vous.',
  signUpRefused:
    'Aucun compte n’a été créé pour vous. Si vous pensez devoir en obtenir un, adressez-vous aux responsables de ce service.',
  noAccount:
    'Aucun compte ici n’y est associé. Si vous en avez un, associez-les maintenant : connectez-vous ici, puis confirmez. Sinon, adressez-vous à un administrateur.',
  needsInvitation:
    'Les nouveaux comptes nécessitent ici une invitation. Si vous en avez une, ouvrez son lien et choisissez-y {provider}.',
  connectAccounts: 'J’ai un compte ici : me connecter et associer',
  accountThere: 'Chez {provider}, vous êtes {account}.',
  switchQuestion: 'Continuer en tant que {account} ?',
  switchWarning:
    'C’est un autre compte ici. Si vous ne venez pas de vous connecter vous-même avec {provider}, restez connecté en tant que {user}.',
  switchYes: 'Continuer en tant que {account}',
  switchNo: 'Rester connecté en tant que {user}',
  switchDone: 'Vous êtes connecté en tant que {account}',
  connectQuestion: 'Associer {account} chez {provider} à votre compte {user} ?',
  connectWarning:
    'Ensuite, toute personne qui se connecte chez {provider} en tant que {account} est connectée ici en tant que {user}. N’associez qu’un compte qui vous appartient.',
  connectYes: 'Associer',
  connectNo: 'Ne pas associer',
  connectDone: 'Les comptes sont associés',
  createQuestion: 'Créer un compte ici ?',
  createUnknown: 'Il n’est encore associé à aucun compte ici. Si vous avez déjà un compte ici, associez-le.',
  createYes: 'Créer un compte',
  acceptTerms: 'J’accepte les {terms}',
  terms: 'conditions d’utilisation (version {version})',
  codeQuestion: 'Saisissez votre code',
  codeLabel: 'Code de votre application d’authentification, ou code de récupération',
  codeWrong: 'Le code est incorrect, a expiré ou a déjà été utilisé. Attendez le suivant.',
  secondFactorNeeded:
    'Votre compte exige une deuxième preuve d’identité. Sur la page de connexion, connectez-vous avec votre clé d’accès, ou avec votre mot de passe et un code.',
  codeDone: 'Vous êtes connecté',
  otherProvider: 'Votre entreprise exige que vous vous connectiez avec {provider}.',
  disabled: 'Votre compte est désactivé ou a expiré. Adressez-vous à un administrateur.',
  taken:
    'Votre compte chez {provider} appartient ici à une autre personne. Connectez-vous avec lui ou adressez-vous à un administrateur.',
  signInToLink: 'Connectez-vous d’abord ici. Associez ensuite votre compte chez {provider}.',
  organizationInactive:
    'Votre organisation n’est pas utilisable ici pour le moment. Adressez-vous à son administrateur.',
  organizationFull:
    'Votre organisation a atteint ici son nombre maximal de membres. Demandez une place à son administrateur.',
  notMember: 'Vous n’êtes pas membre de cette organisation. Demandez à son administrateur de vous ajouter.',
  needsHttps:
    '{provider} ne connecte qu’à une adresse https avec un nom de domaine, ce que {host} n’est pas. Connectez-vous ici d’une autre façon.',
  noNewProof:
    '{provider} ne vous a pas demandé de vous reconnecter, ce qui est nécessaire ici. Déconnectez-vous là-bas, puis réessayez. Si le problème persiste, adressez-vous à un administrateur.',
  oldKey:
    'La réponse de {provider} est illisible, comme d’autres auparavant. Un administrateur doit renouveler la liaison avec {provider}.',
  appRequestInvalid:
    'L’application a envoyé une demande non valable. Retournez à l’application ou contactez ses responsables.',
  appSignOutInvalid: 'L’application a envoyé une demande non valable. Vous êtes toujours connecté.',
  appExpired:
    'Elle est terminée, a expiré ou a commencé dans un autre navigateur. Retournez à l’application et reconnectez-vous.',
  appOther: 'Retournez à l’application et réessayez.',
  signOutTitle: 'Se déconnecter\u00a0?',
  signOutFrom: 'Vous venez de {app}.',
  signOutAll: 'Vous serez déconnecté de toutes les applications qui utilisent ce compte dans ce navigateur.',
  signOut: 'Se déconnecter',
  staySignedIn: 'Rester connecté',
  deviceTitle: 'Se connecter sur un appareil',
  deviceEnter: 'Saisissez le code que votre appareil affiche.',
  deviceCode: 'Code',
  deviceUnknown: 'Ce code est incorrect ou a expiré. Vérifiez le code sur votre appareil.',
  deviceNext: 'Suivant',
  deviceSignInTo: 'Se connecter à {app}\u00a0?',
  deviceUser: 'Vous êtes connecté en tant que {user}.',
  deviceOtherUser: 'Utiliser un autre compte',
  deviceCompare:
    'Continuez seulement si votre appareil affiche ce code et que vous y avez vous-même commencé la connexion à {app}. Si quelqu’un vous a envoyé le code ou un lien, annulez.',
  deviceGets: '{app} recevra\u00a0:',
  deviceGetsId: 'votre identifiant d’utilisateur, et quand et comment vous vous êtes connecté',
  deviceGetsProfile: 'votre nom, votre nom d’utilisateur et votre langue',
  deviceGetsEmail: 'votre adresse e-mail',
  deviceGetsPhone: 'votre numéro de téléphone',
  deviceGetsAddress: 'votre adresse postale',
  deviceGetsValue: '{what}\u00a0: {value}',
  deviceGetsGroups: 'vos groupes',
  deviceGetsPermissions: 'vos permissions',
  deviceGetsAttributes: 'd’autres informations sur vous',
  deviceGetsOrganization: 'votre organisation et vos rôles dans celle-ci',
  deviceGetsAudience: 'un accès en votre nom à {audience}',
  deviceGetsOffline: 'un accès jusqu’à ce que vous y mettiez fin sur la page de votre compte',
  requestChanged:
    'Cette demande a changé depuis l’ouverture de la page. Rien n’a encore été fait. Relisez-la avant de répondre.',
  deviceContinue: 'Continuer',
  deviceCancel: 'Annuler',
  organizationQuestion: 'Choisir une organisation',
  organizationFor: 'Vous continuez vers {app} pour l’organisation que vous choisissez.',
  consentQuestion: 'Donner accès à {app} ?',
  consentWarning:
    'Aucun administrateur n’a enregistré cette application. Continuez seulement si vous venez de la lancer vous-même et si vous faites confiance à {app}.',
  nativeAppWarning:
    'Tout programme sur cet appareil peut se faire passer pour {app}. Continuez seulement si vous venez d’y commencer vous-même la connexion.',
  consentAddress: 'Adresse de l’application : {address}',
  consentLeadsTo: 'Vous continuerez ensuite vers {target}.',
  deviceDoneTitle: 'Votre appareil est connecté',
  deviceDone: 'Revenez à {app} sur votre appareil. Vous pouvez fermer cette page.',
  deviceDeniedTitle: 'Annulé',
  deviceDenied: '{app} n’est pas connectée sur l’appareil. Vous pouvez fermer cette page.',
}
