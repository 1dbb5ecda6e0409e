import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  newPassword: 'Nouveau mot de passe',
  ruleLength: 'Au moins {count, plural, one {# caractère} other {# caractères}}',
  ruleContains: 'Au moins {count} × {what}',
  ruleForm: 'Le format exigé par votre organisation',
  ruleNames: 'Ni votre nom d’utilisateur, ni votre adresse e-mail',
  ruleGuess: 'Difficile à deviner et absent des fuites de données connues',
  met: '(respecté)',
  strength: 'Robustesse : {strength}',
  veryWeak: 'très faible',
  weak: 'faible',
  fair: 'moyenne',
  good: 'bonne',
  strong: 'élevée',
  tooLong:
    'Le mot de passe est trop long. Utilisez au plus {count, plural, one {# caractère} other {# caractères}}.',
  tooShort:
    'Le mot de passe est trop court. Utilisez au moins {count, plural, one {# caractère} other {# caractères}}.',
  containsOwnName:
    'Le mot de passe ne doit contenir ni votre nom d’utilisateur ni votre adresse e-mail, même à l’envers.',
  containsServiceName: 'Le mot de passe ne doit pas être une variante de votre nom ou du nom de ce service.',
  ruleNotMet: 'Le mot de passe doit contenir au moins {count} × {what}.',
  formNotMet: 'Le mot de passe n’a pas le format exigé par votre organisation.',
  tooCostlyToCheck: 'Le mot de passe est trop long pour être vérifié. Choisissez-en un plus court.',
  tooEasyToGuess:
    'Le mot de passe est trop facile à deviner. Allongez-le ou utilisez des mots moins courants.',
  commonPassword:
    'Beaucoup de personnes utilisent ce mot de passe ou un mot de passe proche. Choisissez-en un autre.',
  breachedPassword: 'Ce mot de passe figure dans une fuite de données. Choisissez-en un autre.',
  samePassword: 'C’est votre mot de passe actuel. Choisissez-en un autre.',
  notAccepted: 'Ce mot de passe n’est pas accepté. Choisissez-en un autre.',
}
