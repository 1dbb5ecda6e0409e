import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  currentPassword: 'Mot de passe actuel',
  changePassword: 'Modifier le mot de passe',
  passwordChanged: 'Votre mot de passe est modifié. Vos autres sessions sont terminées.',
  passwordManaged:
    'Vous ne pouvez pas modifier le mot de passe de ce compte. Adressez-vous à votre administrateur.',
  noPassword:
    'Ce compte n’a pas de mot de passe. Vous vous connectez autrement, par exemple avec votre compte d’entreprise ou une clé d’accès.',
  wrongPassword: 'Ce n’est pas votre mot de passe actuel.',
  code: 'Code de votre application d’authentification',
  codeHint: 'Les six chiffres affichés par l’application. Vous pouvez aussi saisir un code de récupération.',
  codeHintPlain: 'Les six chiffres affichés par l’application.',
  wrongCode: 'Le code est erroné ou a déjà été utilisé. Saisissez le plus récent.',
  codeNotMatching:
    'Le code ne correspond pas. Vérifiez que vous avez scanné cette image et que l’heure de votre appareil est exacte.',
  tooManyPasskeys: 'Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en une d’abord.',
  twoStepText:
    'Avec la validation en deux étapes, votre mot de passe seul ne suffit plus. Votre téléphone affiche un code qui change toutes les 30 secondes.',
  twoStepOff: 'La validation en deux étapes est désactivée.',
  twoStepOn: 'La validation en deux étapes est activée.',
  setUp: 'Configurer',
  stepApp: 'Ouvrez une application d’authentification sur votre téléphone. Toutes conviennent.',
  stepScan: 'Scannez cette image avec l’application.',
  stepSecret: 'Si vous ne pouvez pas scanner, saisissez cette clé dans l’application :',
  stepCode: 'Saisissez le code affiché par l’application.',
  qrCode: 'Code QR contenant la clé pour votre application d’authentification',
  key: 'Clé',
  turnOn: 'Activer',
  turnedOn: 'La validation en deux étapes est activée. Vos autres sessions sont terminées.',
  recoveryHeading: 'Conservez vos codes de récupération',
  recoveryText:
    'Si vous perdez votre téléphone, chacun de ces codes permet de vous connecter une fois. Ils ne sont affichés que maintenant. Conservez-les en lieu sûr.',
  download: 'Télécharger',
  print: 'Imprimer',
  codesStored: 'Je les ai conservés',
  codesRenewed: 'Vous avez de nouveaux codes de récupération. Les anciens ne fonctionnent plus.',
  codesLeft:
    '{count, plural, =0 {Il ne vous reste aucun code de récupération. Obtenez-en de nouveaux.} one {Il vous reste # code de récupération.} other {Il vous reste # codes de récupération.}}',
  recoveryCodes: 'Codes de récupération',
  renewCodes: 'Obtenir de nouveaux codes',
  renewText: 'Vos codes actuels ne fonctionneront plus.',
  codesFor: 'Codes de récupération de {username} pour {product}. Chacun fonctionne une fois.',
  syncHeading: 'Des codes sont refusés ?',
  syncText:
    'L’heure de votre téléphone est peut-être inexacte. Saisissez un code pour que nous connaissions l’écart.',
  sync: 'Comparer les heures',
  synced:
    '{seconds, plural, =0 {L’heure de votre application est exacte.} one {L’heure de votre application diffère de # seconde. Nous en tenons compte désormais.} other {L’heure de votre application diffère de # secondes. Nous en tenons compte désormais.}}',
  turnOff: 'Désactiver',
  turnOffHeading: 'Désactiver la validation en deux étapes ?',
  turnOffText: 'Votre mot de passe seul suffira alors pour vous connecter.',
  turnedOff: 'La validation en deux étapes est désactivée.',
  passkeyText:
    'Une clé d’accès vous connecte par empreinte, visage ou code PIN. Personne ne peut la deviner ni la voler avec une fausse page.',
  noPasskeys: 'Vous n’avez pas de clé d’accès.',
  passkeyName: 'Nom de la nouvelle clé d’accès',
  addPasskey: 'Ajouter une clé d’accès',
  passkeyAdded: 'La clé d’accès est ajoutée.',
  passkeyAddedInSetup: 'La clé d’accès est ajoutée. Connectez-vous avec elle pour continuer.',
  signInAgain: 'Se reconnecter',
  rename: 'Renommer',
  renameHeading: 'Renommer la clé d’accès',
  name: 'Nom',
  remove: 'Supprimer',
  removePasskeyHeading: 'Supprimer la clé d’accès « {name} » ?',
  removePasskeyText:
    'Vous ne pourrez plus vous connecter avec elle, et vos autres sessions prendront fin. Supprimez-la aussi de votre appareil.',
  passkeyRenamed: 'Le nom est enregistré.',
  passkeyRemoved: 'La clé d’accès est supprimée. Supprimez-la aussi de votre appareil.',
  addedOn: 'Ajoutée le {date}.',
  usedOn: 'Dernière utilisation le {date}.',
  neverUsed: 'Jamais utilisée.',
  passkeySynced: 'Partagée entre vos appareils.',
  passkeyOnOneDevice: 'Sur un seul appareil.',
  requirePasskey: 'Mon mot de passe exige aussi une clé d’accès',
  requirePasskeyHint: 'Personne ne peut alors se connecter avec votre seul mot de passe.',
  passkeyRequired:
    'Votre mot de passe exige désormais aussi une clé d’accès. Vos autres sessions sont terminées.',
  passkeyOptional: 'Votre mot de passe fonctionne sans clé d’accès.',
  addSpareFirst:
    'Ajoutez d’abord une deuxième clé d’accès ou la validation en deux étapes. Sinon, la perte d’un appareil vous bloquerait.',
}
