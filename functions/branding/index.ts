import { branding } from '../../lib/contract/operations/branding.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as brand from './brand.ts'
import * as logo from './logo.ts'

export const handler = createGroupHandler(branding, { ...logo, ...brand })
