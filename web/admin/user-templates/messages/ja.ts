import type { Translation } from '../../../../lib/i18n/messages.ts'
import type { en } from './en.ts'

export const ja: Translation<typeof en> = {
  heading: 'ユーザーテンプレート',
  intro: 'ID プロバイダーが作成するユーザーには、テンプレートの値が使われます。',
  template: 'テンプレート',
  values: '値',
  newTemplate: '新しいテンプレート',
  empty: 'テンプレートはまだありません。',
  deleteTemplate: 'このテンプレートを削除',
  deleteTemplateText: 'このテンプレートで作成済みのユーザーは変更されません。',
}
