import { branding } from '../../lib/contract/operations/branding.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as logo from './logo.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(branding, {
  ...logo,
  ...useCases,
})
