import { branding } from '../../lib/contract/operations/branding.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as getLogo from './get-logo.ts'
import * as logo from './logo.ts'
import * as read from './read.ts'
import * as write from './write.ts'

export const handler = createGroupHandler(branding, { ...getLogo, ...logo, ...read, ...write })
