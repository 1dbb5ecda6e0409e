import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const fr: Translation<typeof en> = {
  heading: 'Modèles d’utilisateur',
  intro: 'Les utilisateurs créés par un fournisseur d’identité reçoivent les valeurs d’un modèle.',
  template: 'Modèle',
  values: 'Valeurs',
  newTemplate: 'Nouveau modèle',
  empty: 'Il n’y a pas encore de modèles.',
  deleteTemplate: 'Supprimer ce modèle',
  deleteTemplateText: 'Les utilisateurs déjà créés restent inchangés.',
}
