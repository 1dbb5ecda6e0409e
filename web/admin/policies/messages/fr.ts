import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Règles de connexion',
  passwords: 'Mots de passe',
  passwordsIntro:
    'Ce que les nouveaux mots de passe doivent respecter. Les mots de passe existants restent valables.',
  minLength: 'Nombre minimal de caractères',
  minLengthHint: 'Vide : 8, le minimum dans tous les cas.',
  minEntropy: 'Entropie minimale en bits',
  emptyForNone: 'Vide : aucune exigence.',
  noPwned: 'Refuser les mots de passe courants et ceux de fuites connues',
  groups: 'Caractères exigés',
  groupName: 'Nom, par exemple « un chiffre »',
  groupRegex: 'Caractères, par exemple [0-9]',
  minCount: 'Combien',
  addGroup: 'Ajouter des caractères',
  removeGroup: 'Retirer {name}',
  regex: 'Forme du mot de passe entier (expression)',
  examples: 'Essayer',
  examplesIntro: 'Vérifié dans votre navigateur selon les règles ci-dessus, avant l’enregistrement.',
  example: 'Votre propre exemple',
  meets: 'Conforme',
  misses: 'Il manque : {rule}',
  secondFactor: 'Second facteur',
  secondFactorIntro:
    'Qui doit saisir un code d’application ou utiliser une clé d’accès en plus du mot de passe.',
  forEverybody: 'Tous les utilisateurs ont besoin d’un second facteur',
  forPermissions: 'Les utilisateurs avec l’une de ces permissions',
  forGroups: 'Les membres de ces groupes',
  graceDays: 'Jours pour l’installer',
  graceDaysHint: '0 : dès la prochaine connexion.',
  passwordOnly: 'Nombre minimal de caractères sans second facteur',
  emailCodes: 'Autoriser la connexion avec un code par e-mail',
  emailCodesHint: 'Toute personne qui lit la boîte aux lettres peut alors se connecter.',
}
