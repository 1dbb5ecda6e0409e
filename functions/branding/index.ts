import * as logo from '../../lib/features/branding/logo.use-cases.ts'
import { branding } from '../../lib/features/branding/operations.ts'
import * as useCases from '../../lib/features/branding/use-cases.ts'
import * as emailTexts from '../../lib/features/mail/own-texts/use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(branding, {
  ...emailTexts,
  ...logo,
  ...useCases,
})
